import { formatCount } from '../../ui/format.ts';
import { Tab, Tabs } from '../../ui/tabs.tsx';

/** All of a list, or those in one state; each with how many there are. */
export function StateTabs<State extends string>(props: {
  states: readonly State[];
  words: {
    readonly filter: string;
    readonly all: string;
    readonly states: Readonly<Record<State, string>>;
  };
  /** Undefined while they load. */
  counts: Readonly<Record<State, number>> | undefined;
  /** States that need a person's attention when their count is not 0. */
  warning: readonly State[];
  state: State | null;
  onState: (state: State | null) => void;
}) {
  const { states, words, counts, warning, state, onState } = props;
  return (
    <Tabs label={words.filter}>
      <Tab isOn={state === null} onPress={() => onState(null)}>
        {words.all}
        {counts && <b>{formatCount(states.reduce((sum, each) => sum + counts[each], 0))}</b>}
      </Tab>
      {states.map((each) => (
        <Tab
          key={each}
          isOn={state === each}
          isWarning={warning.includes(each) && (counts?.[each] ?? 0) > 0}
          onPress={() => onState(each)}
        >
          {words.states[each]}
          {counts && <b>{formatCount(counts[each])}</b>}
        </Tab>
      ))}
    </Tabs>
  );
}
