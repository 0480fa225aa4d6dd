import { useEffect, useState } from 'react';
import { hasFiles, startHandlingDrops, stopHandlingDrops } from '../../../parts/dropped-files.ts';

/**
 * Files that are dropped anywhere on the page or were dropped on another screen, pasted, or come from *Send as fax* of the desktop application. Returns
 * whether files are held over the page.
 */
export function useOfferedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // Entering a part of the page comes before leaving the one around it.
    let depth = 0;
    const set = (next: number) => {
      depth = Math.max(next, 0);
      setOver(depth > 0);
    };
    const enter = (event: DragEvent) => {
      if (hasFiles(event)) set(depth + 1);
    };
    const leave = (event: DragEvent) => {
      if (hasFiles(event)) set(depth - 1);
    };
    const over = (event: DragEvent) => {
      // Otherwise the browser would leave the page and open the file.
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      set(0);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    const stopFiles = window.faxdesk?.onFiles((files) =>
      onFiles(files.map(({ name, type, bytes }) => new File([Uint8Array.from(bytes)], name, { type }))),
    );
    const before = startHandlingDrops();
    if (before.length > 0) onFiles(before);
    const end = new AbortController();
    const { signal } = end;
    window.addEventListener('dragenter', enter, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('drop', drop, { signal });
    window.addEventListener('paste', paste, { signal });
    return () => {
      end.abort();
      stopHandlingDrops();
      stopFiles?.();
    };
  }, [onFiles]);
  return isOver;
}
