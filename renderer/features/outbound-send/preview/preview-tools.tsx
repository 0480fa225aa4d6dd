import { useQuery } from '@tanstack/react-query';
import { contextQuery } from '../../../api/queries.ts';
import { EditPagesButton } from '../../../parts/edit-pages/edit-pages-button.tsx';
import type { EditableFiles } from '../../../parts/edit-pages/page-order.ts';
import { PageNumber } from '../../../parts/pages/page-number.tsx';
import type { Reader } from '../../../parts/pages/reader.ts';
import { type Zoom, ZoomButtons } from '../../../parts/pages/zoom.tsx';
import type { Preview } from '../../../parts/previews/preview-run.ts';
import type { PreviewState, PreviewStore } from '../../../parts/previews/preview-store.ts';
import { t } from '../../../texts/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { CoverOfDraft } from '../cover/use-cover.ts';
import styles from './preview-pane.module.css';

interface PreviewToolsProps extends PreviewPaneProps {
  readonly preview: Preview;
  readonly current: number;
  readonly onCurrent: (page: number) => void;
  readonly reader: Reader;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly withThumbs: boolean;
  readonly onThumbs: () => void;
}

/** Tools above the pages: cleaning of greys, a note about a page, and the zoom. */
export function PreviewTools(props: PreviewToolsProps) {
  const { preview, cleanGreys, onCleanGreys, zoom, onZoom, reader, current } = props;
  const { withThumbs, onThumbs } = props;
  const greys = greysOf(preview);
  const ahead = props.cover.page === null ? 0 : 1;
  const count = preview.pages + ahead;
  return (
    <>
      <div className={styles['tools']}>
        {(greys !== null || cleanGreys) && (
          <Switch isSelected={cleanGreys} onChange={onCleanGreys} aria-describedby="clean-greys-help">
            <span className={styles['switch']}>{t.send.cleanGreys}</span>
          </Switch>
        )}
        {greys !== null && <Greys greys={greys} isClean={preview.clean_greys} />}
        <span className={styles['gap']} />
        <EditPagesButton
          files={props.files}
          onFiles={props.onFiles}
          onSeparate={props.onSeparate}
          preview={preview}
          isDisabled={!preview.complete}
        />
        {count > 1 && (
          <IconButton icon="thumbs" label={t.ui.pages.keys.thumbs} isOn={withThumbs} onPress={onThumbs} />
        )}
        <PageNumber count={count} current={current} reader={reader} />
        <ZoomButtons zoom={zoom} onZoom={onZoom} reader={reader} />
      </div>
      <HeaderNote preview={preview} />
      <Note {...props} />
    </>
  );
}

/** Notes how the real header line will differ from the drawn one, or what is missing in it. */
function HeaderNote({ preview: { header, to } }: { preview: Preview }) {
  const names = useQuery(contextQuery).data?.provider_names;
  if (!header) return null;
  const provider = names?.[header.backend ?? ''] ?? null;
  const sentences = [
    ...(header.own_form.length > 0 ? [t.send.headerOwnForm(provider, header.own_form)] : []),
    ...(to !== null && !header.has_recipient ? [t.send.headerNoRoom] : []),
  ];
  if (sentences.length === 0) return null;
  return <p className={styles['header']}>{sentences.join(' ')}</p>;
}

interface GreyPages {
  readonly first: number;
  readonly count: number;
  readonly clean: number;
  readonly withGreys: number;
}

/** Returns the grey pages that have a time both with and without cleaning; null when there are none. */
function greysOf({ page_facts }: Preview): GreyPages | null {
  const grey = page_facts.filter((page) => page.grey && page.seconds_clean !== null);
  const [first] = grey;
  if (!first) return null;
  const sum = (of: (page: (typeof grey)[number]) => number | null) =>
    grey.reduce((total, page) => total + (of(page) ?? 0), 0);
  return {
    first: first.page,
    count: grey.length,
    clean: sum((page) => page.seconds_clean),
    withGreys: sum((page) => page.seconds_with_greys),
  };
}

function Greys({ greys, isClean }: { greys: GreyPages; isClean: boolean }) {
  const [clean, grey] = [formatDuration(greys.clean), formatDuration(greys.withGreys)];
  const sentence =
    greys.count === 1
      ? (isClean ? t.send.greyOn : t.send.greyOff)(greys.first, clean, grey)
      : (isClean ? t.send.greysOn : t.send.greysOff)(formatCount(greys.count), clean, grey);
  return (
    <span className={styles['greys']} data-clean={isClean || undefined}>
      {sentence} <span id="clean-greys-help">{t.send.cleanGreysHelp}</span>
    </span>
  );
}

/** Shows the note about the page in view, else the first note. The switch for greys has its own. */
function Note({ preview, current, onCurrent, cover }: PreviewToolsProps) {
  const ahead = cover.page === null ? 0 : 1;
  const notes = preview.notes.filter(({ kind }) => kind !== 'much_grey');
  const here = notes.filter(({ page }) => page + ahead === current);
  const [elsewhere] = notes;
  if (here.length > 0)
    return (
      <ul className={styles['notes']}>
        {here.map(({ kind, text }) => (
          <li key={kind}>
            <Icon name="warn" size={16} />
            {text}
          </li>
        ))}
      </ul>
    );
  if (!elsewhere) return null;
  return (
    <div className={styles['notes']}>
      <Icon name="warn" size={16} />
      <span>{elsewhere.text}</span>
      <Button variant="link" onPress={() => onCurrent(elsewhere.page + ahead)}>
        {t.send.showPage}
      </Button>
    </div>
  );
}

export interface PreviewPaneProps extends EditableFiles {
  readonly state: PreviewState;
  readonly previews: PreviewStore;
  /** No call is placed, so none takes its time. */
  readonly isCallFree: boolean;
  /** Pages and seconds of a call with encoded pages; null for ordinary ones, `pending` until they are known. */
  readonly encodedCall: { readonly pages: number; readonly seconds: number } | 'pending' | null;
  /** As a date and time field writes it; empty for now. */
  readonly sendAt: string;
  readonly cover: Pick<CoverOfDraft, 'page' | 'src'>;
  readonly cleanGreys: boolean;
  readonly onCleanGreys: (cleanGreys: boolean) => void;
}
