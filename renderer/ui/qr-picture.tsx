import { encode } from 'uqr';
import styles from './qr-picture.module.css';

/**
 * Draws a text for the camera of a phone: always dark on light, with the quiet edge that cameras need. `isLong` for hundreds of
 * characters: a larger picture, with less to correct since nothing covers a screen, so that its dots are large enough.
 */
export function QrPicture({
  text,
  label,
  isLong = false,
}: {
  text: string;
  label: string;
  isLong?: boolean;
}) {
  const { size, data } = encode(text, { ecc: isLong ? 'L' : 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      className={styles[isLong ? 'long' : 'qr']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
