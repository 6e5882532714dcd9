import { type ReactNode, useId } from 'react';

type BlockProps = {
  readonly title: string;
  readonly caption?: ReactNode;
  readonly more?: ReactNode;
  readonly children: ReactNode;
};

/** A part of a page: a rule, a heading, what it is about. */
export function Block({ title, caption, more, children }: BlockProps) {
  const id = useId();
  return (
    <section className="block" aria-labelledby={id}>
      <header>
        <h2 className="h3" id={id}>
          {title}
        </h2>
        {caption !== undefined && <span className="cap num">{caption}</span>}
        {more !== undefined && <span className="cap push">{more}</span>}
      </header>
      {children}
    </section>
  );
}
