import { type ComponentProps, lazy, Suspense } from 'react';
import type { CodeEditor as Editor } from '../code/code-editor.tsx';
import css from './editor.module.css';

/** Much larger than a page: it is on its way once the page is painted, so that a phone shows the text first. */
const CodeEditor = lazy(async () => {
  await textShown();
  const { CodeEditor: One } = await import('../code/code-editor.tsx');
  return { default: One };
});

/** More than a window shows of the source before the code editor is here. */
const AT_FIRST = 4_000;
/** The browser says when it has shown what carries this attribute: https://wicg.github.io/element-timing */
const TIMED = { elementtiming: 'source' };
/** An empty text is never shown. */
const PATIENCE_MS = 500;

type CodeAreaProps = ComponentProps<typeof Editor> & { readonly className?: string | undefined };

/** A source to edit; a text to read until the code editor is here. */
export function CodeArea({ className = '', ...props }: CodeAreaProps) {
  return (
    <div className={`${css.code} ${className}`}>
      <Suspense
        fallback={
          <pre className={css.source} {...TIMED}>
            {props.value.slice(0, AT_FIRST)}
          </pre>
        }
      >
        <CodeEditor {...props} />
      </Suspense>
    </div>
  );
}

/** A window in the background shows nothing, and some browsers do not say when they have shown something. */
function textShown(): Promise<void> {
  return new Promise((done) => {
    if (document.hidden) done();
    else if (PerformanceObserver.supportedEntryTypes.includes('element')) {
      new PerformanceObserver((_, observer) => {
        observer.disconnect();
        done();
      }).observe({ type: 'element', buffered: true });
      setTimeout(done, PATIENCE_MS);
    } else requestAnimationFrame(() => setTimeout(done));
  });
}
