/** One server-sent event: its name and its data, parsed. */
export type ServerEvent = { readonly name: string; readonly data: unknown };

/** The events of a response as they come. Comments, which keep a connection open, are left out. */
export async function* readEvents(response: Response): AsyncIterable<ServerEvent> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let held = '';
  for await (const chunk of response.body) {
    held += decoder.decode(chunk, { stream: true });
    const blocks = held.split('\n\n');
    held = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

function parse(block: string): ServerEvent | undefined {
  const lines = block.split('\n');
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  const data = field('data');
  return data.length === 0
    ? undefined
    : { name: field('event').at(-1) ?? 'message', data: JSON.parse(data.join('\n')) };
}
