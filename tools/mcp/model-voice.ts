import type { NamedCall, Voice } from '../../src/voice.ts';
import type { Tool } from '../contract/define.ts';

export type Conversation = {
  /** The address of the server as the reader reaches it. */
  readonly baseUrl: string;
  /** A tool of the product, whether or not this conversation has it. */
  readonly find: (name: string) => Tool | undefined;
  /** Whether a tool is in the list that the client got. */
  readonly isListed: (name: string) => boolean;
  /** Whether the conversation may call a tool, listed or not. */
  readonly isOpen: (name: string) => boolean;
};

/**
 * Names calls as a model makes them: `get_template {"template":"welcome"}`, and `read_tool list_branches {…}` for a tool
 * that its list lacks. What only a person may do has the page for it.
 */
export function modelVoice(conversation: Conversation): Voice {
  return {
    transport: 'mcp',
    call: (name, input) => {
      const words = Object.keys(input).length === 0 ? name : `${name} ${JSON.stringify(input)}`;
      return namedCall(name, words, conversation);
    },
    operation: (name) => name,
  };
}

function namedCall(name: string, words: string, conversation: Conversation): NamedCall {
  const { find, isListed, isOpen, baseUrl } = conversation;
  const tool = find(name);
  // A condition depends on arguments that a sentence does not have.
  if (tool?.dangerous && !tool.dangerous.when)
    return { person: name, url: `${baseUrl}${tool.dangerous.page}` };
  if (!tool || !isOpen(name)) return { unavailable: name };
  if (isListed(name)) return { text: words };
  const through = tool.effect === 'read' ? 'read_tool' : 'run_tool';
  return { text: isListed(through) ? `${through} ${words}` : words };
}
