import { enableCompileCache } from 'node:module';

// Type stripping costs more than loading: what was compiled once is kept, so the modules load after this line.
enableCompileCache();
const { serveStandardStreams } = await import('./stdio/stdio.ts');
await serveStandardStreams();
