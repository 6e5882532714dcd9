export type SentEvent = {
  readonly id: number;
  readonly event: string;
  readonly data: Record<string, unknown>;
};

/** Reads server-sent events as a browser does, one after the other, until the server ends the stream. */
export async function* readEvents(response: Response): AsyncGenerator<SentEvent> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) if (block.includes('data: ')) yield parse(block);
  }
}

function parse(block: string): SentEvent {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return { id: Number(field('id')), event: field('event'), data: JSON.parse(field('data')) };
}
