import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Runs before the npm scripts, and before the commands of `stallhand` that work with a server's data: takes settings from .env.
// Node's own option for it complains on every start without that file.
if (isMainThread && existsSync('.env')) process.loadEnvFile('.env');
