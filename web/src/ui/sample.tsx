import { useRef } from 'react';
import { CopyText } from './copy.tsx';
import css from './sample.module.css';

/** Code to copy. `name` says which, for people who hear the page. */
export function Sample({ name, code }: { readonly name: string; readonly code: string }) {
  const text = useRef<HTMLElement>(null);
  return (
    <div className={css.sample}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached without a mouse */}
      <section className="scroll-x" tabIndex={0} aria-label={name}>
        <pre>
          <code ref={text}>{code}</code>
        </pre>
      </section>
      <CopyText value={code} of={name} text={text} />
    </div>
  );
}
