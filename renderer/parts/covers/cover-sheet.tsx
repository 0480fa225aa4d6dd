import { useState } from 'react';
import { t } from '../../texts/index.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './cover-sheet.module.css';

/** A fax dot is a little narrower than it is high: 204 dots by 196 lines an inch. */
const DOT_ASPECT = 196 / 204;

/** Shows a cover page as it is printed; the last picture stays while the page cannot be printed. */
export function CoverSheet(props: { src: string | null; alt: string; problem: string | null }) {
  const { src, alt, problem } = props;
  const [aspect, setAspect] = useState(8.5 / 11);
  return (
    <>
      {problem !== null && (
        <Notice tone="danger" isLive>
          {problem}
        </Notice>
      )}
      {src === null && problem === null && <p className={styles['drawing']}>{t.send.cover.drawing}</p>}
      {src !== null && (
        <img
          className={styles['sheet']}
          style={{ aspectRatio: aspect }}
          src={src}
          alt={alt}
          decoding="sync"
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setAspect((naturalWidth / naturalHeight) * DOT_ASPECT)
          }
        />
      )}
    </>
  );
}
