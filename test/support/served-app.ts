import { openTestApp, type TestApp } from './app.ts';
import { startTestServer } from './server.ts';

export type ServedApp = TestApp & { readonly url: string };

/** The whole product with a database of its own, served over every HTTP transport. */
export async function openServedApp(env: Record<string, string> = {}): Promise<ServedApp> {
  const app = await openTestApp(env);
  const server = await startTestServer(app, env);
  return {
    ...app,
    url: server.url,
    async close() {
      await server.close();
      await app.close();
    },
  };
}
