import { t } from '../../texts/desk.ts';
import { Choice } from '../../ui/choice.tsx';
import { announce } from '../../ui/live-region.tsx';
import { setTextSize, TEXT_SIZES, useTextSize } from '../../ui/text-size.ts';
import styles from './my-settings.module.css';

const words = t.desk.text;

/** Chooses the size of all texts for this person on this computer. */
export function MyTextSize() {
  const size = useTextSize();
  return (
    <section className={styles['part']} aria-label={words.title}>
      <h2 className={styles['title']}>{words.title}</h2>
      <div className={styles['form']}>
        <Choice
          label={words.size}
          help={words.help}
          options={TEXT_SIZES.map((id) => ({ id, label: words.sizes[id] }))}
          value={size}
          onChange={(next) => {
            setTextSize(next);
            announce(words.saved(words.sizes[next]));
          }}
        />
      </div>
    </section>
  );
}
