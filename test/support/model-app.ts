import { type ModelServer, startModelServer } from '../peers/model-server.ts';
import { openTestApp, type TestApp } from './app.ts';

export type ModelApp = { readonly app: TestApp; readonly server: ModelServer; close(): Promise<void> };

/**
 * The product with both providers played by one scripted server; both have keys of the operator's. Callers may name any
 * model, and their own keys go to the scripted server too.
 */
export async function openModelApp(env: Record<string, string> = {}): Promise<ModelApp> {
  const server = await startModelServer();
  const app = await openTestApp({
    OPENAI_API_KEY: 'key-of-the-operator',
    OPENAI_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_API_KEY: 'key-of-the-operator',
    ANTHROPIC_BASE_URL: server.url,
    AI_MODELS: '*',
    AI_OWN_KEYS_TO_BASE_URL: 'true',
    ...env,
  });
  return {
    app,
    server,
    async close() {
      await app.close();
      await server.close();
    },
  };
}
