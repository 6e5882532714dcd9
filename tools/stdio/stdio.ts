import { type Config, readConfig } from '../../src/config.ts';
import { SCOPES } from '../../src/identity/caller.ts';
import { createLog } from '../../src/platform/log.ts';
import { version } from '../../src/version.ts';
import { explainFailure } from '../commands/command.ts';
import { loadPlugins } from '../contract/plugins.ts';
import { productRegistry } from '../index.ts';
import { createCatalogue } from '../mcp/catalog.ts';
import { holdStdioConversation } from '../mcp/stdio/stdio.ts';
import { createOpenPartner } from './open-partner.ts';
import { withSaving } from './saving-tools.ts';

/**
 * MCP over standard input and output, started by the client that uses it and ended by closing standard input. The
 * database is opened by the first call. Invalid settings end the process with exit code 1 and a message on standard error.
 * In: messages on standard input. Out: messages on standard output. Invariant: nothing else is written to standard
 * output.
 */
export async function serveStandardStreams(): Promise<void> {
  try {
    await serve(readConfig());
  } catch (error) {
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
}

async function serve(config: Config): Promise<void> {
  const { defaultLanguage: locale, toolSelection: bound, outputDir, publicUrl } = config;
  const log = createLog(config.logLevel);
  const registry = productRegistry(await loadPlugins(config.toolsPath));
  const catalogue = createCatalogue(
    withSaving(registry, { outputDir, isPublic: publicUrl !== undefined }),
    bound,
  );
  // Lists are made before it is known who calls; each call is checked against the caller's own scopes.
  const caller = { accountId: '', actor: 'local', scopes: SCOPES, via: 'local' } as const;
  const leave = async () => conversation.leave();
  const conversation = await holdStdioConversation({
    catalogue,
    log,
    version,
    visit: { caller, locale, baseUrl: '' },
    open: createOpenPartner({ config, log, registry }, leave),
  });
  const end = () => void conversation.close();
  process.once('SIGTERM', end).once('SIGINT', end);
  await conversation.closed;
  await conversation.close();
}
