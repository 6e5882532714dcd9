/** Those of a person's calls to the API that openapi.json does not have. */
export async function unknownCalls(base: string, calls: readonly string[]): Promise<string[]> {
  const document = await (await fetch(`${base}/openapi.json`)).json();
  const known = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    ),
  );
  return calls.filter((call) => !known.some((one) => one.test(call)));
}
