package report

import "testing"

func TestCatalogsLoad(t *testing.T) {
	if _, err := loadCatalogs(catalogFiles); err != nil {
		t.Fatal(err)
	}
}
