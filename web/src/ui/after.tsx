import { type ReactNode, useEffect, useState } from 'react';

const PATIENCE_MS = 150;

/** Shows what is only worth showing when something takes a while: a skeleton that flashes is worse than none. */
export function AfterAWhile({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return shown ? children : null;
}

/** Comes once what stands before it is on the screen: a phone draws and reads that first. */
export function AfterPaint({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A frame is painted after these callbacks, and before the timer.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setShown(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return shown ? children : null;
}
