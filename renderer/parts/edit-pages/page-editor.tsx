import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { EditedPage, PageMark } from '../../../shared/page-edits.ts';
import { signaturesQuery } from '../../api/desk.ts';
import { t } from '../../texts/index.ts';
import { Switch } from '../../ui/switch.tsx';
import { PreviewPicture } from '../previews/preview-picture.tsx';
import type { Preview } from '../previews/preview-run.ts';
import { DrawingLayer } from './drawing-layer.tsx';
import { type EditorZoom, EditorZoomButtons } from './editor-zoom.tsx';
import { itemName, itemWords } from './item-words.ts';
import styles from './page-editor.module.css';
import {
  isPictureTool,
  itemsOf,
  keyOfMark,
  type PageItem,
  pictureBox,
  type Tool,
  usualBox,
  withItem,
  withMark,
  withoutItem,
} from './page-marks.ts';
import { A4_ASPECT, type UnchangedPages } from './page-picture.tsx';
import { ToolPanel } from './tool-panel.tsx';

interface PageEditorProps {
  readonly page: EditedPage;
  /** Its number through all files, from 1. */
  readonly number: number;
  readonly unchanged: UnchangedPages;
  readonly onChange: (page: EditedPage, said: string) => void;
  /** The preview of the present changes with the number of the page in it; null while it is not there. */
  readonly result: { readonly preview: Preview; readonly number: number } | null;
}

/** Puts boxes, texts, check marks, signatures and stamps on one page, by mouse or by keyboard alone. */
export function PageEditor({ page, number, unchanged, onChange, result }: PageEditorProps) {
  const words = t.send.edit;
  const [tool, setTool] = useState<Tool>('redact');
  const [text, setText] = useState('');
  const [size, setSize] = useState(12);
  const [inFile, setInFile] = useState<number>(A4_ASPECT);
  const aspect = page.turn % 180 === 0 ? inFile : 1 / inFile;
  const [isResult, setResult] = useState(false);
  const [zoom, setZoom] = useState<EditorZoom>(1);
  const { chosen, setChosen, focusOn, frame } = useChosen();
  const textField = useRef<HTMLDivElement>(null);
  const items = itemsOf(page);
  const { picture, setPicture, signatures } = usePicture(tool);
  const put = (mark: PageMark) => {
    focusOn(keyOfMark(page.marks.length));
    const next = withMark(page, mark);
    onChange(next, words.didPut(itemWords(next, page.marks.length)));
  };
  const add = (box: ReturnType<typeof usualBox>) => {
    if (tool === 'text') return;
    if (isPictureTool(tool)) {
      if (picture) put({ kind: tool, box, picture: picture.id });
    } else if (tool !== 'crop') put({ kind: tool, box });
    else {
      focusOn('crop');
      onChange({ ...page, crop: box }, words.didCrop);
    }
  };
  const place = (x: number, y: number) => {
    if (isPictureTool(tool)) {
      if (picture) add(pictureBox(picture, [x, y], aspect));
    } else if (tool !== 'text') add(usualBox(tool, [x, y], aspect));
    else if (text.trim() !== '') put({ kind: 'text', x, y, size, text: text.trim() });
    else textField.current?.querySelector('textarea')?.focus();
  };
  const remove = (item: PageItem) => {
    focusOn(null);
    onChange(withoutItem(page, item), words.didRemove(itemName(page, item.index)));
  };
  return (
    <div ref={frame} className={styles['editor']}>
      <div className={styles['page']}>
        <div style={{ width: `${zoom * 100}%` }}>
          {isResult ? (
            <ResultPage result={result} />
          ) : (
            <DrawingLayer
              {...{ page, number, unchanged, tool, chosen, setChosen, place, add, remove }}
              width={zoom < 2 ? 1200 : 1600}
              onAspect={setInFile}
              onItem={(item) =>
                onChange(withItem(page, item), words.didMoveItem(itemWords(page, item.index)))
              }
              onLeave={() => focusOn(null)}
            />
          )}
        </div>
      </div>
      <div className={styles['panel']}>
        <EditorZoomButtons zoom={zoom} onZoom={setZoom} />
        <Switch isSelected={isResult} onChange={setResult}>
          {words.asSent}
        </Switch>
        {!isResult && (
          <ToolPanel
            {...{ page, items, tool, text, size, chosen, textField, signatures, picture }}
            onTool={setTool}
            onText={setText}
            onSize={setSize}
            onPicture={setPicture}
            onPlace={() => place(0.5, freeHeight(items.length))}
            onChoose={focusOn}
            onRemove={remove}
          />
        )}
      </div>
    </div>
  );
}

/** Returns a height on the page below what was placed before. */
const freeHeight = (count: number): number => 0.15 + (count % 10) * 0.075;

/** Shows the page as the gateway draws it with all changes. */
function ResultPage({ result }: Pick<PageEditorProps, 'result'>) {
  const [aspect, setAspect] = useState<number>(A4_ASPECT);
  if (result === null) return <p role="status">{t.ui.pages.drawing}</p>;
  const { preview, number } = result;
  return (
    <div className={styles['result']} style={{ aspectRatio: aspect }}>
      <PreviewPicture
        id={preview.preview_id}
        drawn={preview.drawn}
        request={{ page: number, size: 'sheet', onAspect: setAspect }}
        onLost={() => undefined}
      />
    </div>
  );
}

/** The signature or stamp that is put on the page: the one of its kind that was chosen last, else the first. */
function usePicture(tool: Tool) {
  const listed = useQuery(signaturesQuery).data ?? [];
  const [ids, setIds] = useState<Readonly<Partial<Record<Tool, string>>>>({});
  const signatures = listed.filter(({ kind }) => kind === tool);
  return {
    signatures,
    picture: signatures.find(({ id }) => id === ids[tool]) ?? signatures[0] ?? null,
    setPicture: (id: string) => setIds({ ...ids, [tool]: id }),
  };
}

/** Key of the item that was chosen last, and the focus on one that was just put on the page. */
function useChosen() {
  const [chosen, setChosen] = useState<string | null>(null);
  const [wanted, setWanted] = useState<{ key: string | null } | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector<HTMLElement>('input[type="radio"]:checked')?.focus(), []);
  useEffect(() => {
    if (wanted === null) return;
    const place = wanted.key === null ? '[data-place-item]' : `[data-item="${wanted.key}"]`;
    frame.current?.querySelector<HTMLElement>(place)?.focus();
    setWanted(null);
  }, [wanted]);
  return { chosen, setChosen, frame, focusOn: (key: string | null) => setWanted({ key }) };
}
