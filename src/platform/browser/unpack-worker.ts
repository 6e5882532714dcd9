import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
const bin = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));

// The package unpacks into the temporary folder, which for this thread is the one its starter gave it.
await Promise.all(ARCHIVES.map((archive) => inflate(fileURLToPath(new URL(archive, bin)))));
