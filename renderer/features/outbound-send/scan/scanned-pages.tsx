import { type Scan, scannedPage } from '../../../api/scanning.ts';
import { usePicture } from '../../../parts/pages/use-picture.ts';
import { t } from '../../../texts/index.ts';
import styles from './scan-dialog.module.css';

/** Pictures of the scanned pages, in their order, and what the scanner is doing. */
export function ScannedPages({ scan }: { readonly scan: Scan | null }) {
  const words = t.send.scan;
  const count = scan?.pages ?? 0;
  const isRunning = scan?.state === 'scanning';
  return (
    <div className={styles['pages']}>
      <p className={styles['state']} role="status">
        {isRunning && words.scanning(count)}
        {!isRunning && (count === 0 ? words.none : words.scanned(count))}
      </p>
      {scan !== null && count > 0 && (
        <ol className={styles['list']}>
          {Array.from({ length: count }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pages keep their numbers.
            <ScannedPage key={index} scanId={scan.id} page={index + 1} />
          ))}
        </ol>
      )}
    </div>
  );
}

function ScannedPage({ scanId, page }: { readonly scanId: string; readonly page: number }) {
  const address = scannedPage(scanId, page);
  const { tried, failed } = usePicture(address, undefined);
  return (
    <li>
      <img
        key={tried}
        className={styles['page']}
        src={address}
        alt={t.send.scan.page(page)}
        loading="lazy"
        onError={failed}
      />
      <span aria-hidden="true">{page}</span>
    </li>
  );
}
