import { afterEach, beforeEach, expect, test } from 'vitest';
import { type App, compose } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { rawClient } from '../mcp/support/raw-client.ts';
import { type ModelServer, startModelServer } from '../peers/model-server.ts';
import { silentLog } from '../support/app.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { newKey } from '../support/server.ts';
import { answer, GOOD } from '../templates/generation/mail.ts';
import { type ServerProcess, startProcess } from './server-process.ts';

let database: TestDatabase;
let app: App;
let models: ModelServer[];
let servers: ServerProcess[];

// One embedded database has room for one process.
const onServer = test.runIf(testServer);

beforeEach(async () => {
  if (!testServer) return;
  [servers, models] = [[], []];
  database = await openTestDatabase();
  app = await compose(database, readConfig({ DATA_DIR: database.dataDir }), silentLog);
});
afterEach(async () => {
  if (!testServer) return;
  await Promise.all(servers.map((server) => server.kill()));
  await Promise.all(models.map((model) => model.close()));
  await app.close();
});

/** A node and the AI model that it asks. */
async function startNode() {
  const model = await startModelServer();
  models.push(model);
  const server = await startProcess(database.dataDir, {
    DATABASE_URL: database.url ?? '',
    AUTH_MODE: 'required',
    MCP_ENABLED: 'true',
    OPENAI_API_KEY: 'key-of-the-operator',
    OPENAI_BASE_URL: `${model.url}/v1`,
  });
  servers.push(server);
  return { model, server };
}

onServer(
  'kill -9 of the node that works on a task: another node answers for it, carries it out and has its result',
  async () => {
    const { key } = await newKey(app);
    const first = await startNode();
    first.model.script({ silence: true });
    const call = { name: 'generate_template', arguments: { prompt: 'Welcome a new customer.' } };
    const { result } = await rawClient(first.server.url, key)('tools/call', call);
    expect(result).toMatchObject({ resultType: 'task', status: 'working' });
    const taskId = String(result?.['taskId']);
    // It is at work, and its answer will never come.
    await first.model.arrived(0);
    const second = await startNode();
    second.model.script(answer(GOOD));
    const other = rawClient(second.server.url, key);
    expect((await other('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'working' });
    await first.server.kill();
    // The other node has begun it again.
    await second.model.arrived(0);
    let task = (await other('tasks/get', { taskId })).result;
    for (; task?.['status'] === 'working'; task = (await other('tasks/get', { taskId })).result);
    expect(task).toMatchObject({ taskId, status: 'completed', result: { content: [{ type: 'text' }] } });
    expect(JSON.stringify(task)).not.toContain('isError');
  },
  120_000,
);
