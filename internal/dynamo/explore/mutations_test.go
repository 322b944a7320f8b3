package explore

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestMutationsAreFound: a store that breaks a rule is found out, and by the check that
// it fails. Only its requests and their answers are changed.
func TestMutationsAreFound(t *testing.T) {
	for name, test := range map[string]struct {
		mutation mutation
		expires  bool
		want     string
	}{
		"an event is created over another one": {unconditional("PutItemInput", detailsKey, ""), false, "no order leads to what is stored"},
		"an RSVP is stored twice":              {unconditional("Put", rsvpKey, ""), false, "are counted"},
		"an RSVP enters by a closed gate":      {unconditional("Update", gateKey, "ADD admitted :one"), false, "no order leads to what is stored"},
		"an RSVP is not counted":               {dropped(gateKey, "ADD admitted :one"), false, "are counted"},
		"a gate stays for good":                {edited(gateKey, ", expiresAt = :expires", ""), false, "stays for good"},

		"a withdrawal subtracts twice":           {unconditional("Update", rsvpKey, "REMOVE"), false, "are counted"},
		"a withdrawal subtracts from no gate":    {unconditional("Update", gateKey, ":minusOne"), true, "GATE#0"},
		"a withdrawal does not subtract":         {dropped(gateKey, ":minusOne"), false, "are counted"},
		"a withdrawal deletes the RSVP":          {deletes(rsvpKey), false, "the answer to RSVP"},
		"a tombstone expires with its event":     {expiresEarly(rsvpKey), true, "no order leads to what is stored"},
		"what is not counted is removed blindly": {unconditional("UpdateItemInput", rsvpKey, "REMOVE"), true, "the answer to RSVP"},

		"an event is cancelled twice":           {unconditional("Update", detailsKey, "cancelled = :yes"), false, "no order"},
		"a cancel forgets its key":              {edited(detailsKey, ", cancelKeyHash = :key", ""), false, "no order leads to what is stored"},
		"a cancel closes only existing gates":   {closesExisting, false, "no order leads to what is stored"},
		"a cancel closes only the first gate":   {dropped(gateKey+"1", "closed = :yes"), false, "no order leads to what is stored"},
		"closed gates expire with their event":  {expiresEarly(gateKey), true, "after the cancel was answered"},
		"a signal does not look at the event":   {unconditional("UpdateItemInput", detailsKey, "SET cancelling"), true, "stays for good"},
		"signals never end":                     {mutation{forge: renewsSignals}, false, "gives up"},
		"each attempt has a token of its own":   {mutation{rewrite: newToken}, false, "the answer to cancel event"},
		"a Query does not find the last write":  {mutation{stale: true}, false, "are there"},
		"a conflict is taken for success":       {mutation{forge: ignoresConflicts}, false, "no order of what is stored has the answer"},
		"an erased event leaves no tombstone":   {deletes(detailsKey), false, "no order leads to what is stored"},
		"an erased event leaves its gates open": {dropped(gateKey, "erased"), false, "names are left of an erased event"},
	} {
		t.Run(name, func(t *testing.T) {
			violation, executions := searchFor(t, test.mutation, test.expires)
			if violation == "" || !strings.Contains(violation, test.want) {
				t.Fatalf("after %d executions: %s, want %q", executions, violation, test.want)
			}
			first, _, _ := strings.Cut(violation, "\n")
			t.Logf("%d executions: %s", executions, first)
		})
	}
}

// searchFor searches for a violation, first without faults and among few operations.
func searchFor(t *testing.T, m mutation, expires bool) (violation string, executions int) {
	operations, most := alphabet, 3
	stores := []*processes{newProcesses(t, 1), newProcesses(t, 2)}
	if expires {
		operations, most, stores = withoutCreate, 2, stores[:1]
	}
	for n := 1; n <= most; n++ {
		for faults := range 2 {
			for _, p := range stores {
				for _, first := range before {
					if expires && !expiring(first.name) {
						continue
					}
					for _, operations := range combinations(n, operations) {
						x := &search{processes: p, operations: operations, expires: expires, change: m}
						w := x.begin(first.operations)
						w.faults = faults
						violation = x.run(w)
						if executions += x.executions; violation != "" {
							return violation + "\nat first: " + first.name, executions
						}
					}
				}
			}
		}
	}
	return "", executions
}

// rewritten is a mutation of the writes of a kind, or of all, to items of a kind that
// contain a text.
func rewritten(kind, sk, contains string, change func(table, *write)) mutation {
	return mutation{rewrite: func(t table, _ *node, r *request) {
		for i := range r.writes {
			w := &r.writes[i]
			_, key := w.key()
			content := aws.ToString(w.update) + describe(w.put)
			if (kind == "" || kind == w.kind) && strings.HasPrefix(key, sk) && strings.Contains(content, contains) {
				change(t, w)
			}
		}
	}}
}

func unconditional(kind, sk, contains string) mutation {
	return rewritten(kind, sk, contains, func(_ table, w *write) { w.condition = nil })
}

func dropped(sk, contains string) mutation {
	return rewritten("", sk, contains, func(_ table, w *write) { *w = noWrite })
}

// noWrite changes nothing. A transaction keeps the number of its writes.
var noWrite = write{where: newKey(partition, "NOTHING")}

func edited(sk, old, replacement string) mutation {
	return rewritten("Update", sk, old, func(_ table, w *write) {
		w.update = new(strings.Replace(*w.update, old, replacement, 1))
	})
}

// deletes makes a delete of the write that leaves a tombstone.
func deletes(sk string) mutation {
	return rewritten("", sk, "", func(_ table, w *write) {
		if w.put["title"] == nil && w.put["name"] == nil && (w.update == nil || strings.Contains(*w.update, "REMOVE #name")) {
			*w = write{where: newKey(w.key()), condition: w.condition, names: w.names, values: w.values}
		}
	})
}

func expiresEarly(sk string) mutation {
	return rewritten("Update", sk, "expiresAt", func(_ table, w *write) {
		w.values = maps.Clone(w.values)
		w.values[":expires"] = &types.AttributeValueMemberN{Value: fmt.Sprint(expiry.Unix())}
	})
}

var closesExisting = rewritten("Update", gateKey, "closed = :yes", func(t table, w *write) {
	if t.row(w.key()) == nil {
		*w = noWrite
	}
})

func newToken(_ table, n *node, r *request) { r.token = fmt.Sprint(n.id) }

func renewsSignals(n *node, a answer) answer {
	out, ok := a.out.(*dynamodb.GetItemOutput)
	if !ok || out.Item["cancelling"] == nil {
		return a
	}
	renewed := maps.Clone(out.Item)
	renewed["cancelling"] = &types.AttributeValueMemberS{Value: fmt.Sprint(n.id)}
	return answer{out: &dynamodb.GetItemOutput{Item: renewed}, hash: mix(a.hash, n.id)}
}

func ignoresConflicts(_ *node, a answer) answer {
	if cancelled, ok := a.err.(*types.TransactionCanceledException); ok && aws.ToString(cancelled.CancellationReasons[0].Code) == "TransactionConflict" {
		return answer{out: &dynamodb.TransactWriteItemsOutput{}, hash: 5}
	}
	return a
}
