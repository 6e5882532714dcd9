import { z } from 'zod';

/** What a model was told, in the form of either provider. */
export function turnsOf(body: Readonly<Record<string, unknown>>) {
  const spoken = z.object({
    system: Content.optional(),
    messages: z.array(z.object({ role: z.string(), content: Content })),
  });
  const { system, messages } = spoken.parse(body);
  const isInstruction = ({ role }: { role: string }) => role === 'system' || role === 'developer';
  return {
    instructions: system ?? messages.find(isInstruction)?.content ?? '',
    messages: messages
      .filter((message) => !isInstruction(message))
      .map(({ role, content }) => ({ role, text: content })),
  };
}

/** A text, or a list of pieces of text. */
const Content = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((pieces) => pieces.map(({ text }) => text).join('')),
]);
