import { useEffect, useRef, useState } from 'react';

type PreviewFrameProps = {
  readonly html: string;
  readonly title: string;
  readonly isDark: boolean;
  /** Shows pictures of other servers, which then learn that the email is being read. */
  readonly loadsImages: boolean;
};

/**
 * An email in a frame with an origin of its own and a policy that runs nothing of it. Dark is what the email's own
 * `prefers-color-scheme` hears.
 */
export function PreviewFrame({ html, title, isDark, loadsImages }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const source = `/preview-frame${loadsImages ? '?images=on' : ''}`;
  useEffect(() => {
    const onMessage = ({ source: sender }: MessageEvent) => {
      if (sender === frame.current?.contentWindow) setReady(true);
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);
  useFocusRing(frame);
  useEffect(() => {
    // The frame's origin is opaque, so no other target can be named; it is our own document, which holds nothing.
    if (isReady) frame.current?.contentWindow?.postMessage({ html }, '*');
  }, [html, isReady]);
  return (
    <iframe
      key={source}
      ref={frame}
      title={title}
      src={source}
      sandbox="allow-scripts"
      onLoad={() => frame.current?.contentWindow?.postMessage({ html }, '*')}
      style={{
        width: '100%',
        height: '100%',
        border: 0,
        display: 'block',
        colorScheme: isDark ? 'dark' : 'light',
        background: isDark ? '#0c100e' : '#ffffff',
      }}
    />
  );
}

/** Neither :focus-visible nor :focus-within matches a frame whose own document has the focus; the window's blur tells. */
function useFocusRing(frame: React.RefObject<HTMLIFrameElement | null>): void {
  useEffect(() => {
    const mark = () => frame.current?.toggleAttribute('data-focus', document.activeElement === frame.current);
    addEventListener('blur', mark);
    addEventListener('focus', mark);
    document.addEventListener('focusin', mark);
    return () => {
      removeEventListener('blur', mark);
      removeEventListener('focus', mark);
      document.removeEventListener('focusin', mark);
    };
  }, [frame]);
}
