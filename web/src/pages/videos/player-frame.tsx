import { useEffect, useRef, useState } from 'react';
import { ownPath } from '../../api/own-path.ts';
import css from './player-frame.module.css';

type PlayerFrameProps = {
  /** Where the page that plays is; nothing while it is not known. */
  readonly url: string | undefined;
  /** Width by height. */
  readonly ratio: number;
  readonly title: string;
  /** A script of the template failed; `url` is the page that it failed in. */
  readonly onFailure?: (failure: ScriptFailure) => void;
};

export type ScriptFailure = {
  readonly url: string;
  readonly message: string;
  /** Which script of the template, and how many lines below its start; both count from 0. */
  readonly place: { readonly script: number; readonly line: number } | undefined;
};

/**
 * A video that plays before it is rendered, in a page with an origin of its own. When another comes, the former stays until the
 * new one says that it can be seen.
 */
export function PlayerFrame({ url, ratio, title, onFailure }: PlayerFrameProps) {
  const [seen, setSeen] = useState<string>();
  const coming = useRef<HTMLIFrameElement>(null);
  const failed = useRef(onFailure);
  failed.current = onFailure;
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      if (url === undefined || source !== coming.current?.contentWindow) return;
      // The template's own scripts can send this too: it is shown as text, and no more.
      if (typeof data?.failed === 'string')
        failed.current?.({ url, message: data.failed, place: placeIn(data) });
      else setSeen(url);
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [url]);
  const pages = [...new Set([seen, url])].filter((one) => one !== undefined);
  return (
    <div className={css.stage} style={{ '--ratio': ratio } as React.CSSProperties}>
      {seen === undefined && <i className={`bone ${css.screen}`} />}
      {pages.map((one) => (
        <iframe
          key={one}
          ref={one === url ? coming : null}
          className={css.screen}
          data-coming={one !== seen || undefined}
          title={title}
          src={ownPath(one)}
          sandbox="allow-scripts"
        />
      ))}
    </div>
  );
}

function placeIn({ script, line }: Readonly<Record<string, unknown>>): ScriptFailure['place'] {
  return typeof script === 'number' && typeof line === 'number' ? { script, line } : undefined;
}
