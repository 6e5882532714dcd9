import { type ComponentProps, lazy, Suspense } from 'react';
import type { CodeEditor as Editor } from '../code/code-editor.tsx';
import css from './editor.module.css';

/** Much larger than a page: it is on its way once the page is painted, so that a phone shows the text first. */
const CodeEditor = lazy(async () => {
  await painted();
  const { CodeEditor: One } = await import('../code/code-editor.tsx');
  return { default: One };
});

/** More than a window shows of the source before the code editor is here. */
const AT_FIRST = 4_000;

type CodeAreaProps = ComponentProps<typeof Editor> & { readonly className?: string | undefined };

/** A source to edit; a text to read until the code editor is here. */
export function CodeArea({ className = '', ...props }: CodeAreaProps) {
  return (
    <div className={`${css.code} ${className}`}>
      <Suspense fallback={<pre className={css.source}>{props.value.slice(0, AT_FIRST)}</pre>}>
        <CodeEditor {...props} />
      </Suspense>
    </div>
  );
}

/** A window that is not shown paints nothing. */
function painted(): Promise<void> {
  return new Promise((done) => {
    if (document.hidden) done();
    else requestAnimationFrame(() => setTimeout(done));
  });
}
