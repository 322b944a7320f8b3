package apitest

import "testing"

func TestDescriptionVersion(t *testing.T) {
	d, err := loadDescription()
	if err != nil {
		t.Fatal(err)
	}
	if d.Info.Version != "0.1.0" { // promise P33
		t.Errorf("the description has version %s", d.Info.Version)
	}
}
