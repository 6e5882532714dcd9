import { runCommandLine } from './road/run-command.ts';

await runCommandLine('migrate');
