#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Entry of the command `stallhand`. What was compiled once is kept, so the modules load after this line.
enableCompileCache();
const { join } = await import('node:path');
const { readCliConfig } = await import('../src/config.ts');
const { productRegistry } = await import('../tools/index.ts');
const { run } = await import('./cli.ts');
const { createLogins } = await import('./login.ts');
const { createOperations } = await import('./operations.ts');
const { processTerminal } = await import('./terminal.ts');

const config = readCliConfig();
const code = await run(process.argv.slice(2), {
  config,
  operations: createOperations(productRegistry().tools),
  logins: createLogins(join(config.folder, 'stallhand')),
  terminal: processTerminal(process),
});
if (code !== undefined) process.exitCode = code;
// A check that got no answer would keep the process.
if (process.argv[2] === 'doctor') process.exit();
