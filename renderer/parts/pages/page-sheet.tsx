import { memo, type ReactNode, useEffect, useState } from 'react';
import type { PictureRequest } from './page-props.ts';
import styles from './page-viewer.module.css';

interface PageSheetProps {
  readonly page: number;
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** Quarter turns to the right. */
  readonly turns: number;
  readonly isCurrent: boolean;
  /** With its full drawing; else with its small picture alone. */
  readonly isFull: boolean;
  readonly hasStrip: boolean;
  readonly picture: (request: PictureRequest) => ReactNode;
  readonly onAspect: (page: number, aspect: number) => void;
  readonly onStrip: (page: number) => void;
  /** The full drawing is shown, or cannot be had. */
  readonly onDrawn: () => void;
}

/** One page in its place. The small picture stays until the full drawing can be shown. */
export const PageSheet = memo(function PageSheet(props: PageSheetProps) {
  const { page, top, left, width, height, turns, isFull, picture } = props;
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!isFull) setDrawn(false);
  }, [isFull]);
  const onReady = () => {
    setDrawn(true);
    props.onDrawn();
  };
  const onAspect = (aspect: number) => props.onAspect(page, aspect);
  const isTurned = turns % 2 === 1;
  const paper = { width: isTurned ? height : width, height: isTurned ? width : height };
  return (
    <div
      className={styles['sheet']}
      style={{ transform: `translate(${left}px, ${top}px)`, width, height }}
      data-page={page}
      data-turns={turns === 0 ? undefined : turns}
      data-current={props.isCurrent || undefined}
    >
      <div
        className={styles['paper']}
        style={{
          ...paper,
          transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
        }}
      >
        {props.hasStrip && (
          <div className={styles['layer']} data-covered={(isFull && isDrawn) || undefined} aria-hidden>
            {picture({
              page,
              size: 'strip',
              onAspect,
              onReady: () => props.onStrip(page),
            })}
          </div>
        )}
        {isFull && (
          <div className={styles['layer']}>{picture({ page, size: 'sheet', onAspect, onReady })}</div>
        )}
      </div>
    </div>
  );
});
