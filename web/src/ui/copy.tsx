import { ActionIcon, Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useText } from '../i18n/text.ts';

const COPIED_MS = 2_000;

type Said = 'copied' | 'refused' | undefined;

/** Copies a text, and says for two seconds whether it did; every control has its own time. */
function useCopy() {
  const [said, setSaid] = useState<Said>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (value: string): Promise<boolean> => {
    const done = await write(value);
    setSaid(done ? 'copied' : 'refused');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(undefined), COPIED_MS);
    return done;
  };
  return { said, copy };
}

/** A browser may refuse, and has no clipboard at all on a page that is not secure. */
async function write(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false;
  }
}

type CopyButtonProps = {
  readonly value: string;
  readonly label: string;
  /** It comes as the answer to what the person did. */
  readonly autoFocus?: boolean;
};

export function CopyButton({ value, label, autoFocus = false }: CopyButtonProps) {
  const t = useText();
  const { said, copy } = useCopy();
  const name = said === 'copied' ? t('copy.done') : label;
  return (
    <ActionIcon
      size={24}
      title={name}
      aria-label={name}
      autoFocus={autoFocus}
      onClick={() => void copy(value)}
    >
      {said === 'copied' ? <Check className="icon s" color="var(--ok)" /> : <Copy className="icon s" />}
    </ActionIcon>
  );
}

type CopyTextProps = {
  readonly value: string;
  /** Says which text this is, for people who hear the button alone. */
  readonly of: string;
  /** Shows the text: it is selected where the browser refuses to copy, so that a person can. */
  readonly text: RefObject<HTMLElement | null>;
  readonly onCopied?: () => void;
};

/** Copies a text that is beside it. */
export function CopyText({ value, of, text, onCopied }: CopyTextProps) {
  const t = useText();
  const { said, copy } = useCopy();
  const act = async () => {
    if (await copy(value)) onCopied?.();
    else if (text.current) getSelection()?.selectAllChildren(text.current);
  };
  const word = said === 'refused' ? t('copy.refused') : t(said === 'copied' ? 'copy.done' : 'copy.text');
  return (
    <Button
      size="xs"
      leftSection={
        said === 'copied' ? <Check className="icon" color="var(--ok)" /> : <Copy className="icon" />
      }
      onClick={() => void act()}
    >
      {word}
      <span className="sr"> {of}</span>
    </Button>
  );
}
