import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { usePermission } from '../api/queries.ts';
import { hasFiles, isHandlingDrops, keepDroppedFiles } from '../parts/dropped-files.ts';
import { t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './drop-anywhere.module.css';

/** Opens the Send screen with the files that are dropped on any other screen. Without it a browser would leave the page. */
export function DropAnywhere() {
  const navigate = useNavigate();
  const maySend = usePermission('fax:send');
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((files: readonly File[]) => {
    if (!maySend || files.length === 0) return;
    keepDroppedFiles(files);
    void navigate({ to: '/send' });
  });
  useEffect(() => {
    // Entering a part of the page comes before leaving the one around it.
    let depth = 0;
    const set = (next: number) => {
      depth = Math.max(next, 0);
      setOver(depth > 0 && !isHandlingDrops());
    };
    const listeners: [string, (event: DragEvent) => void][] = [
      ['dragenter', () => set(depth + 1)],
      ['dragleave', () => set(depth - 1)],
      ['dragover', (event) => event.preventDefault()],
      [
        'drop',
        (event) => {
          set(0);
          if (isHandlingDrops()) return;
          event.preventDefault();
          take([...(event.dataTransfer?.files ?? [])]);
        },
      ],
    ];
    const end = new AbortController();
    for (const [name, listener] of listeners)
      window.addEventListener(
        name,
        (event) => {
          if (hasFiles(event as DragEvent)) listener(event as DragEvent);
        },
        { signal: end.signal },
      );
    return () => end.abort();
  }, []);
  if (!isOver || !maySend) return null;
  return (
    <p className={styles['over']}>
      <Icon name="upload" size={20} />
      {t.send.dropAnywhere}
    </p>
  );
}
