package event

import (
	"crypto/sha256"
	"regexp"
	"strings"
	"testing"
)

const (
	lowerToken = "0f8fad5b-d9cb-469f-a165-70867728950e"
	upperToken = "0F8FAD5B-D9CB-469F-A165-70867728950E"
)

func TestNewToken(t *testing.T) {
	issued := make(map[Token]bool)
	for range 1000 {
		token := NewToken()
		if issued[token] {
			t.Fatalf("%v is repeated", token)
		}
		issued[token] = true
		if s := token.String(); s[14] != '4' || !strings.ContainsRune("89ab", rune(s[19])) {
			t.Errorf("%v is not a UUID of version 4", token)
		}
	}
}

func TestHash(t *testing.T) {
	token, _ := ParseToken(lowerToken)
	// Stores keep hashes, so a new release must compute the same hashes.
	hash := Hash(sha256.Sum256([]byte("\x0f\x8f\xad\x5b\xd9\xcb\x46\x9f\xa1\x65\x70\x86\x77\x28\x95\x0e")))
	if !token.Hash().Equal(hash) {
		t.Errorf("Hash() = %x, want %x", token.Hash(), hash)
	}
	near := hash
	near[len(near)-1] ^= 1
	for _, other := range []Hash{near, NewToken().Hash(), {}} {
		if hash.Equal(other) {
			t.Errorf("%x equals %x", hash, other)
		}
	}
	if (Token{}).Hash().Equal(Hash{}) {
		t.Error("the zero token has the zero hash")
	}
}

func FuzzParseToken(f *testing.F) {
	for _, s := range []string{
		lowerToken, upperToken, "0f8fad5b-D9CB-469f-A165-70867728950e", "",
		// Any UUID may be requested. UUIDs that Turnout never issues match nothing.
		"00000000-0000-0000-0000-000000000000", "c232ab00-9414-11ec-b3c8-9f6bdeced846",
		"0f8fad5bd9cb469fa16570867728950e", "{" + lowerToken + "}", "urn:uuid:" + lowerToken,
		lowerToken[1:], lowerToken + "0", " " + lowerToken, lowerToken + "\n",
		lowerToken[:35] + "g", lowerToken[:34] + "\u00e9", lowerToken[:35] + "\x00",
		"0f8fad5bd-9cb-469f-a165-70867728950e", "0f8fad5b_d9cb_469f_a165_70867728950e",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		token, ok := ParseToken(s)
		if ok != tokenForm.MatchString(s) {
			t.Fatalf("ParseToken(%q) = %v", s, ok)
		}
		switch {
		case !ok && hashOf(s) != Hash{}:
			t.Fatalf("%q is refused, and yet has the hash %x", s, hashOf(s))
		case ok && (token.String() != strings.ToLower(s) || hashOf(s) != token.Hash()):
			t.Fatalf("%q is read as %v with the hash %x", s, token, hashOf(s))
		}
	})
}

var tokenForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
