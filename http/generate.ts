import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverJson } from '../distribution/server-json.ts';
import en from '../locales/en.json' with { type: 'json' };
import { FAULTS, Fault, type FaultKey } from '../src/errors.ts';
import { passwordListsFile } from '../src/identity/sign-in/password-lists/build.ts';
import { localizeFault } from '../src/language.ts';
import { DEFAULT_DAYS } from '../src/retention/kinds.ts';
import { BLOBS, TABLES } from '../src/retention/tables.ts';
import { SETTINGS, type Setting } from '../src/settings/settings.ts';
import { helperDocs } from '../src/templates/engine/engine.ts';
import { emailClientsFile } from '../src/templates/lint/email-clients/build.ts';
import { LINT_RULES } from '../src/templates/lint/rules.ts';
import { version } from '../src/version.ts';
import { i420WasmFile } from '../src/videos/frames/i420/build.ts';
import type { Tool } from '../tools/contract/define.ts';
import { isCore } from '../tools/contract/registry.ts';
import { restVoice } from '../tools/contract/rest-voice.ts';
import { productRegistry } from '../tools/index.ts';
import { clientOperations } from './openapi/client-operations.ts';
import { openapi } from './openapi/openapi.ts';

// Entry: `npm run generate` writes every file that follows from the code, `npm run generate -- --check` only compares.

const ROOT = new URL('../', import.meta.url);

const settings: readonly (readonly [string, Setting])[] = Object.entries(SETTINGS);
const { tools } = productRegistry();

// The file's keys are what a FaultKey is.
const FAULT_KEYS = Object.keys(en.faults) as FaultKey[];

const files: Record<string, string> = {
  '.env.example': envExample(),
  'docs/settings.md': settingsTable(),
  'docs/tools.md': toolsPage(),
  'docs/errors.md': errorsPage(),
  'docs/retention.md': retentionPage(),
  'docs/helpers.md': helpersPage(),
  'docs/lint.md': lintPage(),
  'src/identity/sign-in/password-lists/password-lists.json': await passwordListsFile(),
  'src/templates/lint/email-clients/email-clients.json': await emailClientsFile(),
  'src/videos/frames/i420/i420-wasm.ts': await i420WasmFile(),
  'server.json': serverJson(),
  'web/src/api/operations.gen.ts': clientOperations(productRegistry()),
  'docs/openapi.json': `${JSON.stringify(openapi(productRegistry(), version), null, 2)}\n`,
};

const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const path = fileURLToPath(new URL(name, ROOT));
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present === text) continue;
  stale.push(name);
  if (process.argv.includes('--check')) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
if (process.argv.includes('--check') && stale.length > 0) {
  process.stderr.write(`Stale: ${stale.join(', ')}. Run \`npm run generate\` and commit the result.\n`);
  process.exitCode = 1;
}

function envExample(): string {
  const lines = settings.map(
    ([name, { help, fallback }]) => `# ${help}\n#${name}=${fallback?.trim() ?? ''}\n`,
  );
  return `# Every setting, with its default. Secrets may also come from a file named by <NAME>_FILE.\n\n${lines.join('\n')}`;
}

function settingsTable(): string {
  const where = `Settings are environment variables. The npm scripts and \`stallhand serve\`, \`admin\`, \`doctor\` and \`backup\` also read them from a
file \`.env\` in the folder you start them in: copy \`.env.example\` and remove the \`#\` from the lines you change. \`stallhand mcp\` does not,
since an assistant may start it in the folder of another program. Restart the server after a change.`;
  const rows = settings.map(([name, { help, fallback, secret }]) => {
    const shown = fallback?.trim() ? `\`${fallback}\`` : '';
    return `| \`${name}\`${secret ? ` or \`${name}_FILE\`` : ''} | ${shown} | ${help} |`;
  });
  return ['# Settings', '', where, '', '| setting | default | meaning |', '|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

function helpersPage(): string {
  const rows = helperDocs.map(
    ({ signature, about }) => `| \`${signature.replaceAll('|', '\\|')}\` | ${about} |`,
  );
  return [
    '# Helpers',
    '',
    'Functions that templates can call.',
    '',
    '| helper | what it does |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function lintPage(): string {
  const rows = LINT_RULES.map(({ id, severity, title }) => `| \`${id}\` | ${severity} | ${title} |`);
  return [
    '# Lint',
    '',
    'What `lint_template` checks in a rendered email. An error breaks the email for every reader, a warning breaks or',
    'worsens it for some, info is advice.',
    '',
    '| rule | severity | finds |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function retentionPage(): string {
  const rows = Object.entries(TABLES).map(([table, term]) => `| \`${table}\` | ${termText(term)} |`);
  const blobs = Object.entries(BLOBS).map(
    ([folder, { holds, term }]) => `| \`${folder}/\` | ${holds} | ${termText(term)} |`,
  );
  const kinds = Object.entries(DEFAULT_DAYS).map(
    ([kind, days]) => `| \`${kind}\` | ${days === null ? 'as long as the account exists' : `${days} days`} |`,
  );
  return [
    '# Retention',
    '',
    'How long the server keeps what it stores. `RETENTION` sets the terms of what only grows, for all accounts or by plan:',
    '',
    '```sh',
    'export RETENTION=\'{"videos": {"free": 30, "paid": null}, "audit_events": 1000}\'',
    '```',
    '',
    '| kind | default |',
    '|---|---|',
    ...kinds,
    '',
    'Once a day one process deletes what is past its term: videos with their files, generations with their hooks, sync runs with',
    'their changes (not the newest run of a configuration), audit events, and the parts of the hook usage that no balance needs.',
    'It deletes at most 1,000 rows per statement, with a pause after each. Versions of templates stay: merges and rollbacks need',
    'them.',
    '',
    '## Tables',
    '',
    '| table | rows stay until |',
    '|---|---|',
    ...rows,
    '',
    '## Files',
    '',
    '| folder | what it holds | stays until |',
    '|---|---|---|',
    ...blobs,
    '',
    'Every hour the server also deletes bytes that no row names and that are older than a day.',
    '',
  ].join('\n');
}

function termText(term: (typeof TABLES)[string]): string {
  return typeof term === 'string' ? `the term of \`${term}\`` : term.until;
}

function errorsPage(): string {
  const ofRest = { locale: 'en', voice: restVoice(tools) } as const;
  const titles: Readonly<Record<string, string>> = en.titles;
  const sections = Object.entries(FAULTS).map(([code, { status, retry }]) => {
    const keys = FAULT_KEYS.filter((key) => new Fault(key).code === code);
    return [
      `## ${code}`,
      '',
      `${status} ${titles[code] ?? ''}${retry ? ' · the same call may succeed later' : ''}`,
      '',
      ...keys.map((key) => `- ${localizeFault(new Fault(key), ofRest).detail}`),
      '',
    ].join('\n');
  });
  return [
    '# Errors',
    '',
    'REST returns an error as `application/problem+json` with `code`, `status`, `title`, `detail`, `errors` and `request_id`.',
    'MCP returns it as a tool result with `isError`, the text, and the code in `_meta`. `Accept-Language` chooses English or',
    'Spanish. Branch on `code`; messages may change. In a message, `{name}` is a value.',
    '',
    'A message names the next call as the caller makes it. On this page, calls are those of REST; over MCP the same message says',
    '`read_tool list_branches {"template":"welcome"}`, or `list_branches …` where the tool is listed, and on the command line',
    '`stallhand branches list welcome`. MCP messages omit what only concerns REST, such as a header.',
    '',
    ...sections,
  ].join('\n');
}

function toolsPage(): string {
  const index = tools.map(
    (tool) =>
      `| [${tool.name}](#${tool.name}) | ${tool.rest ? `\`${tool.rest.route}\`` : ''} | ${tool.title} |`,
  );
  return [
    '# Operations',
    '',
    '| tool | REST | |',
    '|---|---|---|',
    ...index,
    '',
    ...tools.map(toolSection),
  ].join('\n');
}

function toolSection(tool: Tool): string {
  const facts = [
    `effect ${tool.effect}`,
    `scope \`${tool.scope}\``,
    ...(isCore(tool) ? ['listed over MCP by default'] : []),
  ];
  const examples = tool.examples.map(({ title, given = [], input }) => {
    const calls = [...given, [tool.name, input] as const].map(
      ([name, value]) => `${name} ${JSON.stringify(value)}`,
    );
    return `${title}:\n\n\`\`\`\n${calls.join('\n')}\n\`\`\`\n`;
  });
  return [`## ${tool.name}`, '', tool.description, '', facts.join(' · '), '', ...examples].join('\n');
}
