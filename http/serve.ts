import { existsSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type App, createApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { createLog, type Log } from '../src/platform/log.ts';
import { nodeAddress } from '../src/platform/nodes/node-address.ts';
import { openTracing } from '../src/platform/tracing/open-tracing.ts';
import { version } from '../src/version.ts';
import { explainFailure } from '../tools/commands/command.ts';
import { loadPlugins } from '../tools/contract/plugins.ts';
import { productRegistry } from '../tools/index.ts';
import { createRunJob } from '../tools/jobs/run-job.ts';
import { type Host, hostGuests } from '../tools/stdio/host-guests.ts';
import { openAsHolder } from '../tools/stdio/open-as-holder.ts';
import { createVideoPresenter } from '../tools/videos/video-output.ts';
import { dropUnread } from './drop-unread.ts';
import { createServer, type Server } from './server.ts';

/** After draining. */
const HARD_STOP_MS = 25_000;
/** How long answers that are being made may take once the server is told to stop. */
const LAST_ANSWERS_MS = 10_000;

/** Runs the server until it is told to stop. A start that cannot succeed says why and exits with 1. */
export async function serve(): Promise<void> {
  try {
    await start(readConfig());
  } catch (error) {
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
}

async function start(config: Config): Promise<void> {
  if (isFirstStart(config))
    process.stdout.write('Creating the database for the first start. This takes a few seconds…\n');
  const running = await startServer(config);
  welcome(running, config);
  stopOnSignal(running, drainMs(config));
}

export type RunningServer = {
  /** Without a slash at the end. */
  readonly url: string;
  /** Of METRICS_PORT. */
  readonly metricsUrl: string | undefined;
  /** Of a new server that needs credentials; nowhere else in clear. */
  readonly firstKey: string | undefined;
  readonly log: Log;
  /** Drains, finishes what runs, if it does not take long, then closes what is open. */
  stop(): Promise<void>;
};

/** Starts the whole product: what it serves over HTTP, and its work in the background. */
export async function startServer(config: Config): Promise<RunningServer> {
  const tracing = await openTracing({ settings: config.tracing, version, log: () => log });
  const log = createLog(config.logLevel, tracing.logFields);
  const app = await openAsHolder(config, () => createApp({ config, log, tracing }));
  const listening: HttpServer[] = [];
  const open = async (handler: RequestListener, port: number) => {
    const http = createHttpServer(handler);
    dropUnread(http);
    await listen(http, { host: config.host, port });
    listening.push(http);
    // A connection that cannot be taken is lost, the others are not.
    http.on('error', (error) => log.warn({ err: error }, 'a connection was not taken'));
    return http;
  };
  try {
    await app.nodes.join();
    if (config.authMode === 'open') await app.accounts.local();
    const plugins = await loadPlugins(config.toolsPath);
    const registry = productRegistry(plugins);
    const server = await createServer({ app, config, log, version, registry });
    const http = await open(server.express, config.port);
    await app.nodes.listensAt(config.nodeUrl ?? nodeAddress(urlOf(http, config), networkInterfaces()));
    const { metricsPort } = config;
    const metrics = metricsPort === undefined ? undefined : await open(server.metrics, metricsPort);
    // Not waited for: requests are answered while the queue gets ready.
    void app.jobs.start({ run: createRunJob({ app, registry, log }) });
    void app.sync.start();
    void app.videos.start();
    app.webhooks.start({ presentVideo: createVideoPresenter(app.videos.links) });
    const url = urlOf(http, config);
    const host = await hostGuests({ app, config, registry, log, baseUrl: config.publicUrl ?? url });
    const stop = async () => {
      server.drain();
      await delay(drainMs(config), undefined, { ref: false });
      try {
        await shutDown({ http, server, app, host });
      } finally {
        metrics?.close();
        metrics?.closeAllConnections();
        // The last spans say why something failed.
        await tracing.close();
      }
    };
    const metricsUrl = metrics && `${urlOf(metrics, config)}/metrics`;
    return { url, metricsUrl, firstKey: await firstKeyOf(app, config), log, stop };
  } catch (error) {
    // What listens would keep the process alive.
    for (const http of listening) {
      http.close();
      http.closeAllConnections();
    }
    await app.close();
    await tracing.close();
    throw error;
  }
}

/** Without it, the operator of a new server would have to run a command for a key first. */
async function firstKeyOf({ accounts, keys }: App, { authMode }: Config): Promise<string | undefined> {
  if (authMode === 'open') return undefined;
  return keys.createFirst(accounts.local);
}

/** How long a balancer gets to notice. A server that only this machine reaches has none. */
function drainMs({ drainSeconds, loopback }: Config): number {
  return 1000 * (drainSeconds ?? (loopback ? 0 : 5));
}

function isFirstStart({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl === undefined && !existsSync(join(dataDir, 'database'));
}

function listen(http: HttpServer, { port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
}

function urlOf(http: HttpServer, { host }: Config): string {
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function welcome(
  { url, metricsUrl, firstKey }: RunningServer,
  { mcpEnabled, databaseUrl, dataDir }: Config,
): void {
  const lines = [
    `Stallhand ${version} serves ${url}`,
    `  database  ${databaseUrl ? 'PostgreSQL' : `embedded, in ${dataDir}`}`,
    `  mcp       ${mcpEnabled ? `${url}/mcp` : 'npm run mcp (over HTTP with MCP_ENABLED=true)'}`,
    `  openapi   ${url}/openapi.json`,
    ...(metricsUrl === undefined ? [] : [`  metrics   ${metricsUrl}`]),
    ...(firstKey === undefined
      ? []
      : [`  key       ${firstKey}`, '            shown only now: store it safely. More: npm run keys']),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The first signal stops the server in good order, the second one at once. */
function stopOnSignal({ log, stop }: RunningServer, drainingMs: number): void {
  let stopping = false;
  const onSignal = (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), drainingMs + HARD_STOP_MS).unref();
    stop().catch((error: unknown) => {
      log.error({ err: error }, 'did not stop cleanly');
      process.exit(1);
    });
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/** Finishes what runs, if it does not take long, then closes what is open; every acknowledged write is in the database by then. */
async function shutDown({
  http,
  server,
  app,
  host,
}: {
  http: HttpServer;
  server: Server;
  app: App;
  host: Host;
}): Promise<void> {
  const guestsLeft = host.close(LAST_ANSWERS_MS);
  await server.close();
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  http.closeIdleConnections();
  const answered = Promise.race([closed, delay(LAST_ANSWERS_MS, undefined, { ref: false })]);
  await Promise.all([answered, guestsLeft, app.jobs.close(), app.sync.close(), app.videos.close()]);
  http.closeAllConnections();
  await app.close();
}
