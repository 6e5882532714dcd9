import { runBackup } from './backup-command.ts';

const { done, said } = await runBackup(process.argv.slice(2), 'npm run backup --');
(done ? process.stdout : process.stderr).write(`${said}\n`);
if (!done) process.exitCode = 1;
