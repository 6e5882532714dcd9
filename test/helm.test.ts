import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { SETTINGS } from '../src/settings/settings.ts';
import { type Rendered, renderChart } from './support/helm.ts';

const CHART = fileURLToPath(new URL('../deploy/helm/', import.meta.url));
const S3 = { files: { s3: { bucket: 'shop-files', endpoint: 'https://minio.example.com' } } };

const of = (manifests: readonly Rendered[], kind: string, name: string) => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found)
    throw new Error(`no ${kind} ${name} in ${manifests.map((one) => one.kind + one.metadata.name)}`);
  return found.spec;
};
const podOf = (manifests: readonly Rendered[], role: string) =>
  of(manifests, 'Deployment', `shop-${role}`).template.spec;
const settingsOf = (manifests: readonly Rendered[], role: string): Record<string, string> =>
  Object.fromEntries(
    podOf(manifests, role).containers[0].env.map(({ name, value }: { name: string; value: string }) => [
      name,
      value,
    ]),
  );

test('the chart makes web and worker pods, a service, a budget for disruptions and a volume', () => {
  expect(renderChart(CHART).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Deployment shop-web',
    'Deployment shop-worker',
    'PersistentVolumeClaim shop-files',
    'Service shop',
    'PodDisruptionBudget shop-web',
  ]);
});

test('only web pods get requests, and only worker pods render videos', () => {
  const chart = renderChart(CHART);
  const labels = (role: string) => of(chart, 'Deployment', `shop-${role}`).template.metadata.labels;
  const { selector } = of(chart, 'Service', 'shop');
  expect(labels('web')).toMatchObject(selector);
  expect(labels('worker')).not.toMatchObject(selector);
  expect(labels('web')).toMatchObject(of(chart, 'PodDisruptionBudget', 'shop-web').selector.matchLabels);
  for (const role of ['web', 'worker'])
    expect(labels(role)).toMatchObject(of(chart, 'Deployment', `shop-${role}`).selector.matchLabels);
  expect(settingsOf(chart, 'web')['VIDEO_WORKERS']).toBe('0');
  expect(Number(settingsOf(chart, 'worker')['VIDEO_WORKERS'])).toBeGreaterThan(0);
});

test.each(['web', 'worker'])('a %s pod has no rights, and may write only where it must', (role) => {
  const { securityContext, containers, volumes, automountServiceAccountToken } = podOf(
    renderChart(CHART),
    role,
  );
  expect(automountServiceAccountToken).toBe(false);
  expect(securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(containers[0].securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const mounts = containers[0].volumeMounts.map(({ name }: { name: string }) => name);
  expect(mounts).toEqual(volumes.map(({ name }: { name: string }) => name));
  expect(containers[0].resources.limits.memory).toMatch(/Mi|Gi/);
});

test('the probes ask the port that the pod listens on, and a pod that drains is given the time it needs', () => {
  const chart = renderChart(CHART);
  const { containers, terminationGracePeriodSeconds } = podOf(chart, 'web');
  const { ports, readinessProbe, livenessProbe, startupProbe, lifecycle } = containers[0];
  expect(ports[0]).toEqual({ name: 'http', containerPort: Number(settingsOf(chart, 'web')['PORT']) });
  expect(readinessProbe.httpGet).toEqual({ path: '/ready', port: 'http' });
  expect(startupProbe.httpGet).toEqual({ path: '/ready', port: 'http' });
  expect(livenessProbe.httpGet).toEqual({ path: '/health', port: 'http' });
  const drain = Number(settingsOf(chart, 'web')['DRAIN_SECONDS']);
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 25);
  expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold).toBeLessThan(drain);
  expect(lifecycle).toBeUndefined();
});

test('pods share a volume, or a bucket', () => {
  const volume = renderChart(CHART);
  expect(settingsOf(volume, 'web')).toMatchObject({ BLOBS_DIR: '/data/files' });
  expect(of(volume, 'PersistentVolumeClaim', 'shop-files').accessModes).toEqual(['ReadWriteMany']);
  expect(podOf(volume, 'worker').volumes[0]).toEqual({
    name: 'data',
    persistentVolumeClaim: { claimName: 'shop-files' },
  });
  const bucket = renderChart(CHART, S3);
  expect(bucket.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
  expect(settingsOf(bucket, 'worker')).toMatchObject({
    S3_BUCKET: 'shop-files',
    S3_REGION: 'us-east-1',
    S3_ENDPOINT: 'https://minio.example.com',
  });
  expect(settingsOf(bucket, 'worker')).not.toHaveProperty('BLOBS_DIR');
  expect(podOf(bucket, 'web').volumes[0]).toEqual({ name: 'data', emptyDir: {} });
});

test('secrets come from a secret, and no value of the chart is one', () => {
  const { containers } = podOf(renderChart(CHART, { secretName: 'my-secret' }), 'web');
  expect(containers[0].envFrom).toEqual([{ secretRef: { name: 'my-secret' } }]);
  const names = Object.keys(settingsOf(renderChart(CHART, S3), 'web'));
  expect(names.filter((name) => /KEY|SECRET|DATABASE_URL|TOKEN/.test(name))).toEqual([]);
});

test('more settings are passed on, quoted, and every setting of the chart exists', () => {
  const chart = renderChart(CHART, {
    ...S3,
    publicUrl: 'https://stallhand.example.com',
    settings: { SIGN_UP: 'closed', ANONYMOUS_HOOKS: 0 },
    seccompProfile: 'stallhand.json',
  });
  expect(settingsOf(chart, 'web')).toMatchObject({
    PUBLIC_URL: 'https://stallhand.example.com',
    SIGN_UP: 'closed',
    ANONYMOUS_HOOKS: '0',
  });
  expect(podOf(chart, 'web').securityContext.seccompProfile).toEqual({
    type: 'Localhost',
    localhostProfile: 'stallhand.json',
  });
  for (const values of [{}, S3]) {
    const names = Object.keys(settingsOf(renderChart(CHART, values), 'web'));
    expect(names.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
  }
});

test('the ingress is made if it is turned on', () => {
  expect(renderChart(CHART).map(({ kind }) => kind)).not.toContain('Ingress');
  const ingress = { enabled: true, host: 'mail.shop.example', tlsSecretName: 'tls', className: 'nginx' };
  const spec = of(renderChart(CHART, { ingress }), 'Ingress', 'shop');
  expect(spec).toMatchObject({
    ingressClassName: 'nginx',
    tls: [{ hosts: ['mail.shop.example'], secretName: 'tls' }],
    rules: [{ host: 'mail.shop.example' }],
  });
  expect(spec.rules[0].http.paths[0].backend.service).toEqual({ name: 'shop', port: { name: 'http' } });
});

test('behind the ingress people keep their own address: its header counts, and by default no other one', () => {
  const ingress = { enabled: true };
  expect(settingsOf(renderChart(CHART), 'web')).not.toHaveProperty('TRUSTED_PROXIES');
  expect(settingsOf(renderChart(CHART, { ingress }), 'web')['TRUSTED_PROXIES']).toBe('uniquelocal');
  for (const enabled of [true, false])
    expect(
      settingsOf(renderChart(CHART, { ingress: { enabled }, trustedProxies: '10.1.2.0/24' }), 'web'),
    ).toMatchObject({ TRUSTED_PROXIES: '10.1.2.0/24' });
  expect(readConfig({ TRUSTED_PROXIES: 'uniquelocal' }).trustedProxies).toEqual(['uniquelocal']);
});

test('the version of the chart is the one of the product', async () => {
  const { version } = await import('../src/version.ts');
  const { containers } = podOf(renderChart(CHART), 'web');
  expect(containers[0].image).toBe(`stallhand:${version}`);
});
