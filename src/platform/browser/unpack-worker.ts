import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
const bin = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));

// The package unpacks into TMPDIR, which the parent sets for this thread.
await Promise.all(ARCHIVES.map((archive) => inflate(fileURLToPath(new URL(archive, bin)))));
