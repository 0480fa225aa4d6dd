import { SCAN_PAPER_NAMES, type ScanPaper, type ScanSource } from '../../../../shared/scanning.ts';
import type { ScannerDetails } from '../../../api/scanning.ts';
import { useKeptChoice } from '../../../parts/kept-choice.ts';
import { t } from '../../../texts/index.ts';
import { Choice } from '../../../ui/choice.tsx';
import styles from './scan-dialog.module.css';

/** Choices of the last scan in this browser. */
interface ScanChoice {
  /** Null until the person chooses. */
  readonly scanner: string | null;
  readonly source: ScanSource | null;
  readonly paper: ScanPaper;
  readonly resolution: number;
}

const FIRST: ScanChoice = { scanner: null, source: null, paper: 'letter', resolution: 300 };

/** Returns the choices of the last scan, and a function that changes them. */
export const useScanChoice = () => useKeptChoice('send.scan', FIRST, readChoice);

function readChoice(stored: unknown): ScanChoice | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { scanner, source, paper, resolution } = stored as Partial<Record<keyof ScanChoice, unknown>>;
  return {
    scanner: typeof scanner === 'string' ? scanner : null,
    source: source === 'glass' || source === 'feeder' || source === 'feeder_two_sided' ? source : null,
    paper: SCAN_PAPER_NAMES.find((name) => name === paper) ?? FIRST.paper,
    resolution: typeof resolution === 'number' ? resolution : FIRST.resolution,
  };
}

export interface ScanOrder {
  readonly source: ScanSource;
  readonly paper: ScanPaper;
  /** Dots per inch. */
  readonly resolution: number;
}

/** Returns the choices as far as a scanner has them. Null where it has no place for paper. */
export function orderOf(details: ScannerDetails, choice: ScanChoice): ScanOrder | null {
  const { sources, feeder_loaded: isLoaded } = details;
  const chosen =
    sources.find(({ source }) => source === choice.source) ??
    sources.find(({ source }) => source === (isLoaded === true ? 'feeder' : 'glass')) ??
    sources[0];
  if (!chosen) return null;
  const nearest = chosen.resolutions.reduce(
    (best, dpi) => (Math.abs(dpi - choice.resolution) < Math.abs(best - choice.resolution) ? dpi : best),
    chosen.resolutions[0] ?? choice.resolution,
  );
  return { source: chosen.source, paper: choice.paper, resolution: nearest };
}

interface ScanOptionsProps {
  readonly details: ScannerDetails;
  readonly choice: ScanChoice;
  /** True before the first page: then an empty feeder is worth a word. */
  readonly isFirst: boolean;
  readonly isDisabled: boolean;
  readonly onChoice: (choice: ScanChoice) => void;
}

/** Place, paper size and resolution of a scan. */
export function ScanOptions({ details, choice, isFirst, isDisabled, onChoice }: ScanOptionsProps) {
  const words = t.send.scan;
  const order = orderOf(details, choice);
  const place = details.sources.find(({ source }) => source === order?.source);
  if (order === null || place === undefined) return null;
  const isEmpty = isFirst && place.source !== 'glass' && details.feeder_loaded === false;
  return (
    <>
      {details.model !== '' && <p className={styles['state']}>{details.model}</p>}
      <div className={styles['options']}>
        <Choice
          label={words.source}
          options={details.sources.map(({ source }) => ({ id: source, label: words.sources[source] }))}
          value={order.source}
          isDisabled={isDisabled}
          {...(isEmpty ? { help: words.feederEmpty } : {})}
          onChange={(source) => onChoice({ ...choice, source })}
        />
        <Choice
          label={words.paper}
          options={SCAN_PAPER_NAMES.map((paper) => ({ id: paper, label: words.papers[paper] }))}
          value={order.paper}
          isDisabled={isDisabled}
          onChange={(paper) => onChoice({ ...choice, paper })}
        />
        <Choice
          label={words.resolution}
          options={place.resolutions.map((dpi) => ({ id: String(dpi), label: words.dpi(dpi) }))}
          value={String(order.resolution)}
          isDisabled={isDisabled}
          onChange={(dpi) => onChoice({ ...choice, resolution: Number(dpi) })}
        />
      </div>
    </>
  );
}
