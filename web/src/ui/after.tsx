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
