import { Button } from '@mantine/core';
import { RefreshCcw, ThumbsUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { rateHook } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { CopyText } from '../../ui/copy.tsx';
import css from './hook-line.module.css';
import type { WrittenHook } from './use-generation.ts';

/** What an entry without a style is called, in both languages: the specification names it. */
const NO_STYLE = 'PREGUNTA';

export function HookLines({ children }: { readonly children: ReactNode }) {
  return <ol className={css.lines}>{children}</ol>;
}

type HookLineProps = {
  readonly hook: WrittenHook;
  readonly place: number;
  /** Writes more in the same style. */
  readonly onMore?: (() => void) | undefined;
};

/** One hook: its text, its style, how good it is and why, and the button that copies it. */
export function HookLine({ hook, place, onMore }: HookLineProps) {
  const t = useText();
  const text = useRef<HTMLParagraphElement>(null);
  const { data: config } = useServerConfig();
  const { text: said, style, chars, why, score } = hook;
  const label = config?.styles.find(({ id }) => id === style)?.label ?? style;
  const { isUsed, rate } = useRating(hook);
  return (
    <li className={css.line}>
      <span className={css.place}>{place}</span>
      <div className="col gap3">
        <p className={`sign ${css.said}`} ref={text}>
          {said}
        </p>
        <div className={`row wrap small dim ${css.facts}`}>
          <span className="chip mono">{label ? label.toUpperCase() : NO_STYLE}</span>
          <span className="num">{t('hooks.chars', { count: chars })}</span>
          <span className={css.why}>{why}</span>
        </div>
      </div>
      <div className={css.score}>
        <span className="cap">{t('hooks.score')}</span>
        <span className="fig">{score}</span>
      </div>
      <div className={css.acts}>
        <CopyText
          value={said}
          of={t('hooks.number', { number: place })}
          text={text}
          onCopied={() => rate({ copied: true })}
        />
        {hook.generation && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<ThumbsUp className="icon" color={isUsed ? 'var(--ok)' : undefined} />}
            aria-pressed={isUsed}
            onClick={() => rate({ used: !isUsed })}
          >
            {t('hooks.used')}
          </Button>
        )}
        {onMore && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<RefreshCcw className="icon" />}
            title={t('hooks.moreAbout', { style: label ?? '' })}
            onClick={onMore}
          >
            {t('hooks.more')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** What its reader did with a hook, which the next generations learn from. A failure to note it is not worth a message. */
function useRating({ generation, index }: WrittenHook) {
  const [isUsed, setUsed] = useState(false);
  const rate = (rating: { readonly copied?: true; readonly used?: boolean }) => {
    if (rating.used !== undefined) setUsed(rating.used);
    if (generation && index !== undefined)
      void call(rateHook, { generation_id: generation, index, ...rating }).catch(() => undefined);
  };
  return { isUsed, rate };
}
