import { useMutation } from '@tanstack/react-query';
import { scannerAddress } from '../../../shared/scanning.ts';
import { type NetworkScanner, scanning } from '../../api/scanning.ts';
import { sentenceOf } from '../../api/sentence.ts';
import type { Setting } from '../../api/settings.ts';
import entries from '../../parts/entries/entries.module.css';
import { Entry } from '../../parts/entries/entry.tsx';
import { entriesOf, typedOf } from '../../parts/settings/setting-draft.ts';
import type { SettingDrafts } from '../../parts/settings/setting-drafts.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './settings.module.css';

const words = t.settings.scanners;

/** Searches the network for scanners, and adds their addresses to the setting. Nothing is saved here. */
export function NetworkScanners(props: { settings: readonly Setting[]; drafts: SettingDrafts }) {
  const { settings, drafts } = props;
  const setting = settings.find(({ name }) => name === 'SCANNERS');
  const search = useMutation({
    mutationFn: () => scanning.listNetworkScanners(),
    onSuccess: ({ items }) => announce(items.length === 0 ? words.nothing : words.found(items.length)),
  });
  if (!setting) return null;
  const found = search.data?.items;
  return (
    <section className={styles['part']} aria-label={words.title}>
      <div className={entries['head']}>
        <h3 className={styles['title']}>{words.title}</h3>
        <Button icon="search" isPending={search.isPending} onPress={() => search.mutate()}>
          {search.isPending ? words.searching : words.search}
        </Button>
      </div>
      <p className={styles['sentence']}>{words.sentence}</p>
      {search.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(search.error)}
        </Notice>
      )}
      {found?.length === 0 && <p className={entries['none']}>{words.nothing}</p>}
      {found !== undefined && found.length > 0 && (
        <ul className={entries['list']} aria-label={words.list}>
          {found.map((scanner) => (
            <FoundScanner key={scanner.url} scanner={scanner} setting={setting} drafts={drafts} />
          ))}
        </ul>
      )}
    </section>
  );
}

function FoundScanner(props: { scanner: NetworkScanner; setting: Setting; drafts: SettingDrafts }) {
  const { scanner, setting, drafts } = props;
  const { name, model, place, url, added_url: addedUrl } = scanner;
  const typed = entriesOf(String(drafts.typed(setting) ?? ''));
  const isHere = (entry: string) => [url, addedUrl].includes(scannerAddress(entry));
  const isAdded = typed.some(isHere);
  const isSaved = entriesOf(String(typedOf(setting))).some(isHere);
  const act = isAdded ? words.remove : words.add;
  const toggle = () => {
    const others = typed.filter((entry) => !isHere(entry));
    drafts.type(setting, (isAdded ? others : [...others, addedUrl ?? url]).join('\n'));
    announce(isAdded ? words.removed(name) : words.added(name));
  };
  const state = isAdded && (
    <StateWord tone={isSaved ? 'ok' : 'plain'} icon={isSaved ? 'ok' : 'clock'}>
      {isSaved ? words.isAdded : words.isNotSaved}
    </StateWord>
  );
  return (
    <Entry name={name} state={state} error={null}>
      <FactList wordWidth={104}>
        {model !== '' && model !== name && <Fact name={words.model}>{model}</Fact>}
        {place !== '' && <Fact name={words.place}>{place}</Fact>}
        <Fact name={words.address}>{url}</Fact>
        {isAdded && addedUrl !== null && addedUrl !== url && <Fact name={words.addedAs}>{addedUrl}</Fact>}
      </FactList>
      <div className={entries['actions']}>
        <Button icon={isAdded ? 'close' : 'plus'} aria-label={words.actionOf(act, name)} onPress={toggle}>
          {act}
        </Button>
      </div>
    </Entry>
  );
}
