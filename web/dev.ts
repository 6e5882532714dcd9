import { spawn } from 'node:child_process';
import { createServer } from 'vite';
import { CLIENT_FOLDER } from './build/build-client.ts';
import { clientConfig, WEB_ROOT } from './build/client-config.ts';
import { subsetFonts } from './build/fonts.ts';

// Entry: `npm run dev` serves the client from its sources, with reload, and everything else from the product, which starts
// again when its sources change.

const PRODUCT = 'http://127.0.0.1:8080';
const PORT = 8081;

await subsetFonts();
const product = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', '--watch', 'http/main.ts'],
  {
    cwd: `${WEB_ROOT}..`,
    stdio: 'inherit',
  },
);
const client = await createServer({
  ...clientConfig(CLIENT_FOLDER),
  server: {
    host: '127.0.0.1',
    port: PORT,
    strictPort: true,
    proxy: {
      // What is neither a page nor a source of one. The product sees the address of this server, so its origin is allowed.
      '^/(?!@|src/|fonts/|build/|node_modules/|.*[?&]import)': {
        target: PRODUCT,
        bypass: ({ method, headers, url = '' }) =>
          method === 'GET' && headers.accept?.includes('text/html') && !url.startsWith('/preview-frame')
            ? '/index.html'
            : undefined,
      },
    },
  },
});
await client.listen();
process.stdout.write(`The web client is on http://127.0.0.1:${PORT}, and reloads with each change\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    product.kill(signal);
    void client.close();
  });
