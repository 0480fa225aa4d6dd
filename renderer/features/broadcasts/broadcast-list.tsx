import { type Broadcast, broadcasts } from '../../api/broadcasts.ts';
import { FoundList } from '../../parts/lists/found-list.tsx';
import { t } from '../../texts/broadcasts.ts';
import { formatCount, formatDayAndTime } from '../../ui/format.ts';

const words = t.broadcasts;

/** Lists the broadcasts, newest first. */
export function BroadcastList(props: { openId: string | undefined; onOpen: (id: string) => void }) {
  return (
    <FoundList<Broadcast>
      {...props}
      name="broadcasts"
      words={words}
      read={(query, signal) => broadcasts.listBroadcasts({ query, signal })}
      nameOf={({ name }) => name}
      noteOf={({ state, recipients, created_at }) =>
        `${words.states[state]}, ${words.people(formatCount(recipients), recipients === 1)}, ${formatDayAndTime(created_at)}`
      }
    />
  );
}
