import type { Ref } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { EDIT_LIMITS, type EditedPage } from '../../../shared/page-edits.ts';
import type { Signature } from '../../api/desk.ts';
import { t } from '../../texts/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { itemName, itemWords } from './item-words.ts';
import { isPictureTool, type PageItem, TOOLS, type Tool } from './page-marks.ts';
import { PictureTool } from './picture-tool.tsx';
import styles from './tool-panel.module.css';

const SIZES = [8, 10, 12, 14, 18, 24, 36].map((size) => ({ id: String(size), label: String(size) }));

interface ToolPanelProps {
  readonly page: EditedPage;
  readonly items: readonly PageItem[];
  readonly tool: Tool;
  readonly onTool: (tool: Tool) => void;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly size: number;
  readonly onSize: (size: number) => void;
  readonly chosen: string | null;
  readonly textField: Ref<HTMLDivElement>;
  /** Pictures of the kind of the tool. */
  readonly signatures: readonly Signature[];
  /** The one that is put on the page; null for none. */
  readonly picture: Signature | null;
  readonly onPicture: (id: string) => void;
  readonly onPlace: () => void;
  readonly onChoose: (key: string) => void;
  readonly onRemove: (item: PageItem) => void;
}

/** Tools beside the page, and the list of what is on it. */
export function ToolPanel(props: ToolPanelProps) {
  const { page, items, tool, onTool, chosen, onPlace, onChoose, onRemove } = props;
  const words = t.send.edit;
  const isFull = page.marks.length >= EDIT_LIMITS.marksPerPage;
  return (
    <>
      <RadioGroup className={styles['tools']} value={tool} onChange={(value) => onTool(value as Tool)}>
        <Label className="visually-hidden">{words.tool}</Label>
        {TOOLS.map((one) => (
          <Radio key={one} value={one} className={styles['tool']}>
            {words.tools[one]}
          </Radio>
        ))}
      </RadioGroup>
      {tool === 'text' && <TextTool {...props} />}
      {isPictureTool(tool) && <PictureTool key={tool} {...props} kind={tool} />}
      <p className={styles['help']}>{words.toolHelp[tool]}</p>
      <Button
        data-place-item=""
        isDisabled={
          isFull ||
          (tool === 'text' && props.text.trim() === '') ||
          (isPictureTool(tool) && props.picture === null)
        }
        onPress={onPlace}
      >
        {words.place}
      </Button>
      {isFull && <p>{words.full}</p>}
      <h3 className={styles['title']}>{words.onPage}</h3>
      {items.length === 0 && <p className={styles['help']}>{words.nothing}</p>}
      <ul className={styles['items']}>
        {items.map((item) => {
          const name = itemName(page, item.index);
          return (
            <li key={item.key} className={styles['item']} data-chosen={chosen === item.key || undefined}>
              <Button
                variant="link"
                aria-label={itemWords(page, item.index)}
                onPress={() => onChoose(item.key)}
              >
                {name}
              </Button>
              <IconButton isSmall icon="close" label={words.removeOf(name)} onPress={() => onRemove(item)} />
            </li>
          );
        })}
      </ul>
    </>
  );
}

function TextTool({ text, onText, size, onSize, textField }: ToolPanelProps) {
  const words = t.send.edit;
  return (
    <div ref={textField} className={styles['text']}>
      <TextArea
        label={words.text}
        value={text}
        maxLength={EDIT_LIMITS.markTextLength}
        rows={2}
        onChange={onText}
      />
      <Choice
        label={words.size}
        options={SIZES}
        value={String(size)}
        onChange={(value) => onSize(Number(value))}
      />
    </div>
  );
}
