import { useEffect, useRef, useState } from 'react';

/** Takes files that are dropped on the page or pasted into it; true while some are held over it. */
export function useFilesGiven(take: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const given = (transfer: DataTransfer | null) => [...(transfer?.files ?? [])];
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    // The pointer leaves the window, not only one box for the next.
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      latest.current(given(event.dataTransfer));
    };
    const onPaste = (event: ClipboardEvent) => {
      const files = given(event.clipboardData);
      if (files.length > 0) latest.current(files);
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
      removeEventListener('paste', onPaste);
    };
  }, []);
  return isOver;
}
