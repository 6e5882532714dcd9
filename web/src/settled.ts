import { replaceEqualDeep } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** A value once it has not changed for a while. */
export function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  // The value is new with each draw; while nothing in it has changed, this stays the same.
  const same = useRef(value);
  same.current = replaceEqualDeep(same.current, value);
  const latest = same.current;
  useEffect(() => {
    const timer = setTimeout(() => setSettled(latest), delayMs);
    return () => clearTimeout(timer);
  }, [latest, delayMs]);
  return settled;
}
