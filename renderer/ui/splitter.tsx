import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import styles from './splitter.module.css';

const STEP = 16;
const LARGE_STEP = 64;

/** The line between two panes, which moves by pointer and by keyboard. A double click or Enter puts it back. */
export function Splitter(props: {
  /** "Width of the list" */
  label: string;
  /** Width of the pane before it, in px. */
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  onReset: () => void;
}) {
  const { label, value, min, max, onChange, onReset } = props;
  const grip = useRef<{ x: number; value: number } | null>(null);
  const move = (next: number) => onChange(Math.round(Math.min(Math.max(next, min), max)));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? LARGE_STEP : STEP;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => move(value - step),
      ArrowRight: () => move(value + step),
      Home: () => move(min),
      End: () => move(max),
      Enter: onReset,
    };
    const run = moves[event.key];
    if (!run || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    run();
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    grip.current = { x: event.clientX, value };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (grip.current) move(grip.current.value + clientX - grip.current.x);
  };
  const onEnd = () => {
    grip.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved.
    <div
      className={styles['splitter']}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      title={label}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
    />
  );
}
