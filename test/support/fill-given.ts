type Json = Record<string, unknown>;

/** The input of an example with `<tool.field>` replaced by what the tool's call has answered. */
export function fillGiven(input: Readonly<Json>, answers: ReadonlyMap<string, Json>): Json {
  const filled = JSON.stringify(input).replace(/"<(\w+)\.(\w+)>"/g, (whole, tool: string, field: string) => {
    const value = answers.get(tool)?.[field];
    return value === undefined ? whole : JSON.stringify(value);
  });
  return JSON.parse(filled) as Json;
}

/** Makes the calls an example begins with, in order; answers what each has answered. */
export async function makeGiven(
  given: readonly (readonly [string, Readonly<Json>])[],
  call: (name: string, input: Json) => Promise<Json>,
): Promise<Map<string, Json>> {
  const answers = new Map<string, Json>();
  for (const [name, input] of given) answers.set(name, await call(name, fillGiven(input, answers)));
  return answers;
}
