// Entry: `npm start` runs this first, and so does the build of the package. Only what is absent or out of date is built.

const begin = performance.now();
try {
  // Found out here, since this may be an installation without the packages that build.
  const { buildClient, isStale } = await import('./build/build-client.ts');
  if (await isStale()) {
    process.stdout.write('Building the web client. This takes a few seconds…\n');
    await buildClient();
    process.stdout.write(`Built the web client in ${Math.round((performance.now() - begin) / 1000)} s\n`);
  }
} catch (error) {
  if (!isMissingPackage(error)) throw error;
  // What comes from `npm ci --omit=dev` still serves the API.
  process.stdout.write(
    'The web client is not built, because the packages that build it are not installed. Run npm ci, then start again.\n',
  );
}

function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

export {};
