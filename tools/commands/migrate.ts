import { runCommandLine } from './road/road.ts';

await runCommandLine('migrate');
