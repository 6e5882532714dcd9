import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { serverCommands } from '../cli/server-commands.ts';
import { FONT_PACKAGES } from '../src/platform/browser/fallback-fonts.ts';
import { SETTINGS } from '../src/settings/settings.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const lines = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n');

test('everything the Dockerfile copies from the repository is in the build context', () => {
  const copied = lines('Dockerfile')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  const context = lines('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((path) => !context.includes(path))).toEqual([]);
});

test('the image asks its own port whether it is healthy, and collects dead processes', () => {
  const dockerfile = lines('Dockerfile').join('\n');
  expect(dockerfile).toMatch(/process\.env\.PORT\}\/health/);
  expect(dockerfile).toContain('ENTRYPOINT ["tini", "--"]');
});

test.each(['start', 'dev', 'mcp', 'billing', 'keys', 'migrate', 'backup', 'doctor'])(
  'npm run %s reads .env',
  (name) => {
    const { scripts } = JSON.parse(lines('package.json').join('\n'));
    expect(scripts[name]).toMatch(/^node --import=\.\/tools\/commands\/load-env-file\.ts /);
  },
);

test('the commands that work with the data of a server read .env; the one that assistants start in any folder does not', () => {
  const reading = Object.keys(serverCommands).filter((name) => serverCommands[name]?.readsEnvFile);
  expect(reading).toEqual(['serve', 'doctor', 'admin', 'backup']);
});

test('stallhand admin takes its settings from .env', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'env-file-'));
  await writeFile(join(folder, '.env'), 'PORT=ninety\n');
  const { stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'bin/stallhand.cjs'), 'admin', 'accounts', 'list'],
    {
      cwd: folder,
      env: {},
      encoding: 'utf8',
    },
  );
  expect(stderr).toContain('PORT: must be a number');
  await rm(folder, { recursive: true });
});

test('settings of .env hold where the environment has none, and without the file nothing is said', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'env-file-'));
  const load = join(ROOT, 'tools/commands/load-env-file.ts');
  const print = 'console.log(process.env.PORT, process.env.HOST)';
  const start = () =>
    spawnSync(process.execPath, [`--import=${load}`, '-e', print], {
      cwd: folder,
      env: { HOST: '127.0.0.9' },
      encoding: 'utf8',
    });
  expect(start()).toMatchObject({ stdout: 'undefined 127.0.0.9\n', stderr: '' });
  await writeFile(join(folder, '.env'), 'PORT=9999\nHOST=0.0.0.0\n');
  expect(start()).toMatchObject({ stdout: '9999 127.0.0.9\n', stderr: '' });
  await rm(folder, { recursive: true });
});

test('the image has a font of Latin letters from Debian, and all others from the packages', () => {
  const installed = lines('Dockerfile')
    .join(' ')
    .match(/\bfonts-[\w-]+/g);
  expect(installed).toEqual(['fonts-liberation']);
  const { dependencies } = JSON.parse(lines('package.json').join('\n'));
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(FONT_PACKAGES.map(({ name }) => name)));
});

test('the image runs as a user without rights, and says where its data are', () => {
  const dockerfile = lines('Dockerfile');
  const user = dockerfile.lastIndexOf('USER node');
  expect(user).toBeGreaterThan(0);
  expect(dockerfile.indexOf('VOLUME /data')).toBeGreaterThan(user);
  expect(dockerfile.join('\n')).toMatch(/\bDATA_DIR=\/data\/stallhand\b/);
  expect(dockerfile.filter((line) => /^(CMD|ENTRYPOINT) /.test(line))).toEqual([
    expect.stringMatching(/^ENTRYPOINT \["tini"/),
    expect.stringMatching(/^CMD \["node", .*"http\/main\.ts"\]$/),
  ]);
});

const compose = (file: string) => parse(lines(file).join('\n'), { customTags: [OVERRIDE] });
/** Compose's mark for a list that replaces the one before. */
const OVERRIDE = { tag: '!override', collection: 'seq' as const };

test('compose restarts the server, gives it time to drain, and takes its rights away', () => {
  const { services, volumes } = compose('compose.yaml');
  const { stallhand, database } = services;
  expect(stallhand).toMatchObject({
    restart: 'unless-stopped',
    stop_grace_period: '35s',
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true', 'seccomp=deploy/seccomp-chromium.json'],
    volumes: ['data:/data'],
    ports: ['127.0.0.1:8080:8080'],
    depends_on: { database: { condition: 'service_healthy' } },
  });
  expect(database).toMatchObject({ restart: 'unless-stopped', volumes: ['database:/var/lib/postgresql'] });
  expect(Object.keys(volumes)).toEqual(['data', 'database']);
});

test('two nodes of compose share one place for files, behind a proxy that asks /ready', () => {
  const { services } = compose('deploy/compose.nodes.yaml');
  const { stallhand, second, proxy } = services;
  expect(stallhand.environment).toEqual(second.environment);
  expect(second).toMatchObject({ environment: { BLOBS_DIR: '/data/files' }, ports: [] });
  expect(proxy.volumes).toEqual(['./deploy/Caddyfile:/etc/caddy/Caddyfile:ro']);
  const caddy = lines('deploy/Caddyfile').join('\n');
  expect(caddy).toContain('reverse_proxy stallhand:8080 second:8080');
  expect(caddy).toContain('health_uri /ready');
});

test.each(['compose.yaml', 'deploy/compose.nodes.yaml'])('every setting in %s exists', (file) => {
  const { services } = compose(file);
  const { stallhand, second } = services;
  const names = [stallhand, second].flatMap((one) => Object.keys(one?.environment ?? {}));
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
});

test('the seccomp profile denies what it does not name, and allows namespaces but no mounts, modules or keys', () => {
  const profile = JSON.parse(lines('deploy/seccomp-chromium.json').join('\n'));
  expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
  const allowed = profile.syscalls.flatMap((rule: { names: string[]; action: string }) =>
    rule.action === 'SCMP_ACT_ALLOW' ? rule.names : [],
  );
  expect(allowed).toEqual(
    expect.arrayContaining(['clone', 'unshare', 'chroot', 'openat', 'futex', 'execve']),
  );
  const dangerous = [
    'mount',
    'umount2',
    'pivot_root',
    'setns',
    'bpf',
    'init_module',
    'kexec_load',
    'reboot',
    'add_key',
  ];
  expect(allowed.filter((name: string) => dangerous.includes(name))).toEqual([]);
  // Runtimes of Kubernetes do not know Docker's conditions, and would allow what depends on one.
  for (const rule of profile.syscalls)
    expect(Object.keys(rule).filter((key) => !['names', 'action', 'args', 'errnoRet'].includes(key))).toEqual(
      [],
    );
});
