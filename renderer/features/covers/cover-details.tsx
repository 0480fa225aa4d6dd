import { useQuery } from '@tanstack/react-query';
import { type CoverWithUse, coverQuery, fieldsOf } from '../../api/covers.ts';
import { isStatus } from '../../api/sentence.ts';
import { CoverSheet } from '../../parts/covers/cover-sheet.tsx';
import { useCoverPicture } from '../../parts/covers/use-cover-picture.ts';
import { NoDetails } from '../../parts/lists/no-details.tsx';
import { t } from '../../texts/covers.ts';
import { IconButton } from '../../ui/button.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { formatCount, formatFully, formatWhen } from '../../ui/format.ts';
import { Pane, PaneBody } from '../../ui/pane.tsx';
import { CoverActions } from './cover-actions.tsx';
import { kindWord, usualFields } from './cover-columns.tsx';
import styles from './cover-details.module.css';
import { sampleValues } from './sample-values.ts';

const words = t.covers.details;

interface DetailsProps {
  readonly onClose: () => void;
  readonly onShow: (id: string) => void;
}

/** One cover page: its picture, its facts, and what can be done with it. */
export function CoverDetails({ id, ...props }: DetailsProps & { id: string }) {
  const cover = useQuery(coverQuery(id));
  return (
    <Pane as="aside" label={words.label}>
      {cover.data && !isStatus(cover.error, 404) ? (
        <Details {...props} cover={cover.data} />
      ) : (
        <NoDetails
          error={cover.error}
          words={words}
          retry={() => void cover.refetch()}
          onClose={props.onClose}
        />
      )}
    </Pane>
  );
}

function Details({ cover, onClose, onShow }: DetailsProps & { cover: CoverWithUse }) {
  const { name, version } = cover;
  return (
    <>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h2 className={styles['title']}>{name}</h2>
          <p className={styles['facts']}>{kindWord(cover)}</p>
        </div>
        <IconButton icon="close" label={words.close} onPress={onClose} />
      </header>
      <PaneBody>
        <div className={styles['top']}>
          <CoverActions cover={cover} onClose={onClose} onShow={onShow} />
          <Facts cover={cover} />
        </div>
        <div className={styles['picture']}>
          <Picture key={version} cover={cover} />
        </div>
      </PaneBody>
    </>
  );
}

function Picture({ cover }: { cover: CoverWithUse }) {
  const picture = useCoverPicture({ cover: cover.id, cover_fields: sampleValues(cover), pages: 2 });
  return <CoverSheet {...picture} alt={t.covers.picture(cover.name)} />;
}

function Facts({ cover }: { cover: CoverWithUse }) {
  const { used_by: use, updated_at: changed } = cover;
  const usual = usualFields(cover);
  const own = fieldsOf(cover).own.join(', ');
  const ofContacts = words.contacts(formatCount(use.contacts), use.contacts === 1);
  const ofMailboxes = words.mailboxes(formatCount(use.mailboxes), use.mailboxes === 1);
  return (
    <FactList wordWidth={100}>
      {usual !== '' && <Fact name={words.fields}>{usual}</Fact>}
      {own !== '' && <Fact name={words.own}>{own}</Fact>}
      {cover.has_logo && <Fact name={words.logo}>{words.hasLogo}</Fact>}
      <Fact name={words.usedBy}>
        {use.contacts + use.mailboxes === 0 ? words.unused : words.use(ofContacts, ofMailboxes)}
      </Fact>
      {changed !== null && (
        <Fact name={words.changed}>
          <span title={formatFully(changed)}>{formatWhen(changed)}</span>
        </Fact>
      )}
    </FactList>
  );
}
